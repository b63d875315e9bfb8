package dev.idem.http;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The key of a request. A quoted string (RFC 9651) and a bare text give the same key: {@code "abc"} is {@code abc}.
 *
 * @param value the key itself, without quotes and escapes
 * @param quoted whether it was sent as a quoted string
 */
public record IdempotencyKey(String value, boolean quoted) {
    private static final int LONGEST = 255;
    /** A key of 255 escaped characters and some parameters. A longer line is not worth parsing. */
    private static final int LONGEST_LINE = 1024;

    private static final Pattern PARAMETERS = Pattern.compile(
            "(?:;[ ]*[a-z*][a-z0-9_.*-]*(?:=(?:\"(?:[^\"\\\\]|\\\\.)*\"|[A-Za-z0-9!#$%&'*+./:=?@^_`|~-]+))?)*");

    /**
     * Reads the key from the lines of its header. Parameters after a quoted string are ignored.
     *
     * @throws IllegalArgumentException when it is malformed; the message says why, and does not repeat the text
     */
    public static IdempotencyKey parse(List<String> lines) {
        if (lines.size() != 1) {
            throw new IllegalArgumentException("there are " + lines.size() + " header lines");
        }
        String text = trim(lines.get(0));
        if (text.length() > LONGEST_LINE) {
            throw tooLong();
        }
        return checked(text.startsWith("\"") ? quoted(text) : new IdempotencyKey(bare(text), false));
    }

    /**
     * The key with this text, from another place than a header.
     *
     * @throws IllegalArgumentException when it is malformed; the message says why, and does not repeat the text
     */
    static IdempotencyKey of(String text) {
        for (int i = 0; i < text.length(); i++) {
            printable(text.charAt(i), ' ');
        }
        return checked(new IdempotencyKey(text, true));
    }

    private static IdempotencyKey checked(IdempotencyKey key) {
        if (key.value().isBlank()) {
            throw new IllegalArgumentException("it is empty");
        } else if (key.value().length() > LONGEST) {
            throw tooLong();
        }
        return key;
    }

    /** The key in the form in which it was sent, for the response. */
    public String echo() {
        return quoted ? '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"' : value;
    }

    private static IdempotencyKey quoted(String text) {
        StringBuilder value = new StringBuilder();
        int at = 1;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
                c = at < text.length() ? text.charAt(at) : 0;
                if (c != '"' && c != '\\') {
                    throw new IllegalArgumentException("a backslash stands before something else than a quote");
                }
            }
            value.append(printable(c, ' '));
            at++;
        }
        if (at == text.length()) {
            throw new IllegalArgumentException("the closing quote is missing");
        }
        if (!PARAMETERS.matcher(text.substring(at + 1)).matches()) {
            throw new IllegalArgumentException("something follows the closing quote");
        }
        return new IdempotencyKey(value.toString(), true);
    }

    /** A comma may stem from two header lines that a proxy has joined. */
    private static String bare(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = printable(text.charAt(i), '!');
            if (c == ',' || c == '"') {
                throw new IllegalArgumentException("a comma or a quote is only allowed in a quoted string");
            }
        }
        return text;
    }

    private static char printable(char c, char lowest) {
        if (c < lowest || c > '~') {
            throw new IllegalArgumentException("it has a character that is not printable ASCII, or an unquoted space");
        }
        return c;
    }

    private static IllegalArgumentException tooLong() {
        return new IllegalArgumentException("it has more than " + LONGEST + " characters");
    }

    private static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (from < to && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
