package dev.idem.server.notice;

/** Text from outside as it may be shown to people. */
final class Plain {
    private static final int LONGEST = 500;

    private Plain() {}

    /** One line of bounded length. */
    static String sentence(String text) {
        return line(
                text.codePointCount(0, text.length()) <= LONGEST
                        ? text
                        : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…");
    }

    /** One line, with a question mark for each character that can't be seen or changes its surroundings. */
    static String line(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().map(c -> isHidden(c) ? '?' : c).forEach(line::appendCodePoint);
        return line.toString();
    }

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
