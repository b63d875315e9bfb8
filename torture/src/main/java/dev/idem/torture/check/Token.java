package dev.idem.torture.check;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * The name of one result: whose it is and which attempt made it. The text that a call returns is made of it, so that a
 * text that was changed on its way is known, however long it is.
 *
 * @param padding how many characters of noise the text has behind its name
 */
public record Token(String key, String identity, long fence, String call, int padding) {
    /** The token as it stands in a log. */
    public String name() {
        return key + "|" + identity + "|" + fence + "|" + call + "|" + padding;
    }

    /** Reads {@link #name()}; throws {@link IllegalArgumentException} where it is none. */
    public static Token parse(String name) {
        String[] part = name.split("\\|", -1);
        if (part.length != 5) {
            throw new IllegalArgumentException("'" + name + "' is no token");
        }
        return new Token(part[0], part[1], Long.parseLong(part[2]), part[3], Integer.parseInt(part[4]));
    }

    /** The text that the action with this token returns. */
    public String value() {
        Random noise = new Random(name().hashCode());
        StringBuilder text = new StringBuilder(name());
        for (int i = 0; i < padding; i++) {
            text.append((char) (i == 0 ? '~' : ' ' + 1 + noise.nextInt(90)));
        }
        return text.toString();
    }

    /** The name in a returned text; where the text is not what its token makes, a name that no effect has. */
    public static String nameIn(String value) {
        int end = value.indexOf('~');
        String name = end < 0 ? value : value.substring(0, end);
        try {
            if (parse(name).value().equals(value)) {
                return name;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        CRC32 crc = new CRC32();
        crc.update(value.getBytes(StandardCharsets.UTF_8));
        return "corrupt:" + value.length() + ":" + crc.getValue();
    }
}
