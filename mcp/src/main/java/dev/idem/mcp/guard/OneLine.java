package dev.idem.mcp.guard;

/** Makes one harmless line of text that a server wrote, for messages and for comments in a file. */
public final class OneLine {
    private OneLine() {}

    /**
     * The text without line breaks, control characters and marks that reorder text. Runs of blanks become one.
     *
     * @param longest the most characters; a longer text ends with three dots
     */
    public static String of(String text, int longest) {
        StringBuilder line = new StringBuilder();
        int length = 0;
        boolean gap = false;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int next = text.codePointAt(at);
            if (!isShown(next)) {
                gap = length > 0;
                continue;
            }
            int needed = gap ? 2 : 1;
            if (length + needed > longest) {
                return line.append('…').toString();
            }
            line.append(gap ? " " : "").appendCodePoint(next);
            length += needed;
            gap = false;
        }
        return line.toString();
    }

    /** Whether it is a visible character that every reader of UTF-8 and YAML takes as such. */
    public static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
