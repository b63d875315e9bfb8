package dev.idem.internal.json;

import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads the tokens of one JSON text and tracks the position. */
final class JsonScanner {
    private static final int MAX_NUMBER_LENGTH = 1000;
    private static final int LONGEST_SURE_LONG = 18;

    final JsonPath path = new JsonPath();
    private final String text;
    private final boolean exact;
    private int at;

    JsonScanner(String text, boolean exact) {
        this.text = text;
        this.exact = exact;
    }

    boolean atEnd() {
        return at == text.length();
    }

    /** The next char, or at the end a zero char, which no JSON text may contain. */
    char peek() {
        return atEnd() ? 0 : text.charAt(at);
    }

    int offset() {
        return at;
    }

    /** The text from an offset to here. */
    String since(int offset) {
        return text.substring(offset, at);
    }

    void backTo(int offset) {
        at = offset;
    }

    /** Moves to the value of the text. */
    void begin() {
        if (peek() == '\uFEFF') {
            throw error("begins with a byte order mark; remove it");
        }
        skipWhitespace();
    }

    /** Moves behind the value of the text. */
    void end() {
        skipWhitespace();
        if (!atEnd()) {
            throw expected("the end of the text");
        }
    }

    /** Enters an object or array and moves to its first element. Leaves it and returns false if it is empty. */
    boolean enter(char closing) {
        if (!path.descend()) {
            throw error("nested more than " + JsonPath.MAX_DEPTH + " levels deep");
        }
        at++;
        skipWhitespace();
        return !leaves(closing);
    }

    /** Moves from one element of an object or array to the next. Leaves it and returns false after the last. */
    boolean continues(char closing) {
        skipWhitespace();
        if (accept(',')) {
            skipWhitespace();
            return true;
        }
        if (!leaves(closing)) {
            throw expected("',' or '" + closing + "'");
        }
        return false;
    }

    private boolean leaves(char closing) {
        if (accept(closing)) {
            path.ascend();
            return true;
        }
        return false;
    }

    /** Reads the name of a member and moves to its value. */
    String name(Collection<String> before) {
        if (peek() != '"') {
            throw expected("a name in double quotes");
        }
        int start = at;
        String name = string();
        path.at(name);
        if (before.contains(name)) {
            at = start;
            throw error("duplicate name; readers disagree on which one counts, keep one");
        }
        skipWhitespace();
        if (!accept(':')) {
            throw expected("':'");
        }
        skipWhitespace();
        return name;
    }

    String string() {
        int start = ++at;
        int end = start;
        while (end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        at = end;
        return accept('"') ? text.substring(start, end) : unusualString(start);
    }

    /** Whether the char stands for itself in a string, whatever its neighbours are. */
    private static boolean isPlain(char c) {
        return c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c);
    }

    /** Reads the rest of a string that has escapes, characters of two chars, or an error. */
    private String unusualString(int start) {
        StringBuilder chars = new StringBuilder().append(text, start, at);
        while (true) {
            if (at == text.length()) {
                throw error("the string that starts at offset " + (start - 1) + " has no closing quote");
            }
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return chars.toString();
            }
            if (c == '\\') {
                escape(chars);
            } else {
                int from = at;
                rawChar(c);
                chars.append(text, from, at);
            }
        }
    }

    /** Reads one unescaped character. */
    private void rawChar(char c) {
        if (c < ' ') {
            throw error(String.format("control character U+%04X in a string; write it as \\u%04x", (int) c, (int) c));
        }
        if (!Character.isSurrogate(c)) {
            at++;
            return;
        }
        boolean paired =
                Character.isHighSurrogate(c) && at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        if (!paired) {
            throw loneSurrogate(c);
        }
        at += 2;
    }

    private void escape(StringBuilder chars) {
        if (at + 1 == text.length()) {
            at++;
            throw error("the text ends inside an escape");
        }
        char c = text.charAt(at + 1);
        switch (c) {
            case '"', '\\', '/' -> chars.append(c);
            case 'b' -> chars.append('\b');
            case 'f' -> chars.append('\f');
            case 'n' -> chars.append('\n');
            case 'r' -> chars.append('\r');
            case 't' -> chars.append('\t');
            case 'u' -> {
                unicodeEscape(chars);
                return;
            }
            default ->
                throw error("unknown escape \\" + c + "; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX");
        }
        at += 2;
    }

    private void unicodeEscape(StringBuilder chars) {
        char c = hexEscape(at);
        if (Character.isSurrogate(c)) {
            boolean followed = Character.isHighSurrogate(c) && text.startsWith("\\u", at + 6);
            char low = followed ? hexEscape(at + 6) : 0;
            if (!Character.isLowSurrogate(low)) {
                throw loneSurrogate(c);
            }
            chars.append(c).append(low);
            at += 12;
        } else {
            chars.append(c);
            at += 6;
        }
    }

    private char hexEscape(int start) {
        int value = 0;
        for (int i = start + 2; i < start + 6; i++) {
            if (i >= text.length()) {
                at = text.length();
                throw error("the text ends inside an escape");
            }
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw error("\\u needs four hexadecimal digits");
            }
            value = value * 16 + digit;
        }
        return (char) value;
    }

    Number number() {
        int start = at;
        accept('-');
        int firstDigit = at;
        digits();
        if (text.charAt(firstDigit) == '0' && at > firstDigit + 1) {
            at = firstDigit;
            throw error("a number can't begin with a zero");
        }
        boolean integer = true;
        if (accept('.')) {
            integer = false;
            digits();
        }
        if (accept('e') || accept('E')) {
            integer = false;
            if (!accept('+')) {
                accept('-');
            }
            digits();
        }
        String literal = text.substring(start, at);
        if (literal.length() > MAX_NUMBER_LENGTH) {
            at = start;
            throw error("a number of " + literal.length() + " characters; at most " + MAX_NUMBER_LENGTH
                    + " are read, send it as a string");
        }
        return integer ? integer(literal) : exact ? decimal(literal, start) : binary(literal, start);
    }

    private void digits() {
        if (at == text.length() || !isDigit(text.charAt(at))) {
            throw expected("a digit");
        }
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static Number integer(String literal) {
        if (literal.length() <= LONGEST_SURE_LONG) {
            return Long.parseLong(literal);
        }
        BigInteger value = new BigInteger(literal);
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    private Number binary(String literal, int start) {
        double value = Double.parseDouble(literal);
        if (Double.isInfinite(value) || (value == 0 && !isZero(literal))) {
            at = start;
            throw error("the number " + literal + " is out of the range of a double; send it as a string");
        }
        return value;
    }

    private Number decimal(String literal, int start) {
        try {
            BigDecimal value = new BigDecimal(literal);
            if (Math.abs((long) value.scale()) <= NumberText.MAX_DIGITS) {
                return value;
            }
        } catch (NumberFormatException e) {
            // An exponent beyond the range of int: the same error as for too large a scale.
        }
        at = start;
        throw error("the exponent of the number " + literal + " is out of range; send it as a string");
    }

    private static boolean isZero(String literal) {
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if (c == 'e' || c == 'E') {
                return true;
            }
            if (c >= '1' && c <= '9') {
                return false;
            }
        }
        return true;
    }

    @Nullable
    Boolean literal(String word, @Nullable Boolean value) {
        if (!text.startsWith(word, at)) {
            throw expected("a value");
        }
        at += word.length();
        return value;
    }

    boolean accept(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    void skipWhitespace() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return;
            }
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private JsonException loneSurrogate(char c) {
        return error(String.format("lone surrogate \\u%04x; it is half of a character, send the whole", (int) c));
    }

    JsonException expected(String what) {
        return error("expected " + what + " but found " + found());
    }

    private String found() {
        if (at == text.length()) {
            return "the end of the text";
        }
        int c = text.codePointAt(at);
        return c > ' ' && c < 127 ? "'" + (char) c + "'" : String.format("U+%04X", c);
    }

    JsonException error(String problem) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return path.error(problem + " (line " + line + ":" + (at - lineStart + 1) + ", offset " + at + ")");
    }
}
