package dev.idem.cli.mcp;

import dev.idem.Json;
import dev.idem.JsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value and its place in a text, so that a part of the text can be changed and all other characters stay. The text
 * may have comments and trailing commas, as editors allow them in their settings.
 *
 * @param start the index of its first character
 * @param end the index after its last character
 * @param text the value of a text; null for all other values
 * @param members of an object; null for all other values
 * @param elements of an array; null for all other values
 */
record Jsonc(
        int start,
        int end,
        @Nullable String text,
        @Nullable List<Member> members,
        @Nullable List<Jsonc> elements) {

    /** A member of an object, whose name begins at an index. */
    record Member(String name, int start, Jsonc value) {}

    /** The text is no JSON, even with comments and trailing commas. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        private Malformed(String json, int at, String what) {
            super("line "
                    + (1 + json.substring(0, at).chars().filter(c -> c == '\n').count()) + ": " + what);
        }
    }

    static Jsonc parse(String json) throws Malformed {
        return new Parser(json).document();
    }

    /** The value of a member; null where this is no object, or has no such member. */
    @Nullable
    Jsonc member(String name) {
        for (Member member : members == null ? List.<Member>of() : members) {
            if (member.name.equals(name)) {
                return member.value;
            }
        }
        return null;
    }

    /** The index of the first character from here on that is neither blank nor part of a comment. */
    static int afterBlanks(String json, int from) throws Malformed {
        Parser parser = new Parser(json);
        parser.at = from;
        parser.blanks();
        return parser.at;
    }

    private static final class Parser {
        private static final int DEEPEST = 500;

        private final String json;
        private int at;
        private int depth;

        Parser(String json) {
            this.json = json;
        }

        Jsonc document() throws Malformed {
            if (json.startsWith("\uFEFF")) {
                at++;
            }
            blanks();
            Jsonc value = value();
            blanks();
            if (at < json.length()) {
                throw malformed("there is more after the end of the value");
            }
            return value;
        }

        private Jsonc value() throws Malformed {
            int start = at;
            if (++depth > DEEPEST) {
                throw malformed("it is nested too deeply");
            }
            Jsonc value = switch (next()) {
                case '{' -> object(start);
                case '[' -> array(start);
                case '"' -> {
                    String text = string();
                    yield new Jsonc(start, at, text, null, null);
                }
                default -> literal(start);
            };
            depth--;
            return value;
        }

        private Jsonc object(int start) throws Malformed {
            List<Member> members = new ArrayList<>();
            at++;
            for (blanks(); next() != '}'; comma('}')) {
                int nameStart = at;
                if (next() != '"') {
                    throw malformed("the name of a member is missing");
                }
                String name = string();
                if (members.stream().anyMatch(member -> member.name.equals(name))) {
                    // Two programs may read two values, so it is unknown which one counts.
                    throw malformed("a member is there twice");
                }
                blanks();
                if (next() != ':') {
                    throw malformed("a colon is missing");
                }
                at++;
                blanks();
                members.add(new Member(name, nameStart, value()));
            }
            at++;
            return new Jsonc(start, at, null, List.copyOf(members), null);
        }

        private Jsonc array(int start) throws Malformed {
            List<Jsonc> elements = new ArrayList<>();
            at++;
            for (blanks(); next() != ']'; comma(']')) {
                elements.add(value());
            }
            at++;
            return new Jsonc(start, at, null, null, List.copyOf(elements));
        }

        /** Goes to what follows a value: a comma, or the end. */
        private void comma(char end) throws Malformed {
            blanks();
            if (next() == ',') {
                at++;
                blanks();
            } else if (next() != end) {
                throw malformed("a comma or '" + end + "' is missing");
            }
        }

        private String string() throws Malformed {
            int start = at;
            for (at++; next() != '"'; at++) {
                if (next() == '\\') {
                    at++;
                    next();
                }
            }
            at++;
            return String.valueOf(strict(start));
        }

        private Jsonc literal(int start) throws Malformed {
            while (at < json.length()
                    && (Character.isLetterOrDigit(json.charAt(at)) || "+-.".indexOf(json.charAt(at)) >= 0)) {
                at++;
            }
            strict(start);
            return new Jsonc(start, at, null, null, null);
        }

        /** Reads a value without structure by the rules of JSON. */
        private @Nullable Object strict(int start) throws Malformed {
            try {
                return Json.parse(json.substring(start, at));
            } catch (JsonException e) {
                // Its message may hold a part of the value, which may be a secret.
                at = start;
                throw malformed("this is no JSON value");
            }
        }

        private void blanks() throws Malformed {
            while (at < json.length()) {
                if (" \t\r\n".indexOf(json.charAt(at)) >= 0) {
                    at++;
                } else if (json.startsWith("//", at)) {
                    int end = json.indexOf('\n', at);
                    at = end < 0 ? json.length() : end;
                } else if (json.startsWith("/*", at)) {
                    int end = json.indexOf("*/", at + 2);
                    if (end < 0) {
                        throw malformed("a comment has no end");
                    }
                    at = end + 2;
                } else {
                    return;
                }
            }
        }

        private char next() throws Malformed {
            if (at >= json.length()) {
                at = json.length();
                throw malformed("the file ends too early");
            }
            return json.charAt(at);
        }

        private Malformed malformed(String what) {
            return new Malformed(json, at, what);
        }
    }
}
