package dev.idem.internal.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One numbered step of the stored format. Once released, its text never changes.
 *
 * @param version the number of the format after it
 * @param name the resource it comes from: {@code 001-entries.sql}
 * @param sql the statements
 */
public record Migration(int version, String name, String sql) {
    /** A migration whose version is the number its name starts with. */
    public static Migration of(String name, String sql) {
        int dash = name.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("a migration is called like 001-entries.sql, not " + name);
        }
        return new Migration(Integer.parseInt(name.substring(0, dash)), name, sql);
    }

    /** SHA-256 in hex over the text, by which a changed migration is recognised. */
    public String checksum() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(sql.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
