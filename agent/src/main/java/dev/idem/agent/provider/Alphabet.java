package dev.idem.agent.provider;

/** The characters that a provider allows in its keys. */
public enum Alphabet {
    /** Everything visible in ASCII. */
    VISIBLE_ASCII,
    /** Letters, digits, dash and underscore. */
    WORD,
    /** A UUID: 32 hexadecimal digits in lower case, in five groups. */
    UUID;

    /** Whether a key is made of these characters, in this form. */
    boolean fits(String key) {
        return switch (this) {
            case VISIBLE_ASCII -> key.chars().allMatch(c -> c > ' ' && c <= '~');
            case WORD -> key.chars().allMatch(Alphabet::isWord);
            case UUID -> key.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        };
    }

    private static boolean isWord(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
}
