package dev.idem.spi;

import java.util.regex.Pattern;

/** The form of labels. People search for labels and see them in lists, so labels are short and plain. */
public final class Labels {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_VALUE = 255;

    private Labels() {}

    /**
     * Checks a label.
     *
     * @throws IllegalArgumentException when the name or the value has another form
     */
    public static void require(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a label's name has 1 to 64 letters, digits, dots, dashes and "
                    + "underscores; this one has " + name.length() + " characters: '" + name + "'");
        }
        if (value.length() > LONGEST_VALUE || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the value of label '" + name + "' must have at most " + LONGEST_VALUE
                    + " characters and no control characters; keep long texts in the content");
        }
    }

    /** Any text as the value of a label: cut after 255 characters, with a question mark for each unprintable one. */
    public static String value(String text) {
        StringBuilder value = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
                .takeWhile(c -> value.length() + Character.charCount(c) <= LONGEST_VALUE)
                .forEach(value::appendCodePoint);
        return value.toString();
    }
}
