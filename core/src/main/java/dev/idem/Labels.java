package dev.idem;

import java.util.regex.Pattern;

/** What a label may be. Labels are searched for and shown in lists, so they are short and plain. */
final class Labels {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_VALUE = 255;

    private Labels() {}

    static void require(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a label's name has 1 to 64 letters, digits, dots, dashes and "
                    + "underscores; this one has " + name.length() + " characters: '" + name + "'");
        }
        if (value.length() > LONGEST_VALUE || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the value of label '" + name + "' must have at most " + LONGEST_VALUE
                    + " characters and no control characters; keep long texts in the content");
        }
    }
}
