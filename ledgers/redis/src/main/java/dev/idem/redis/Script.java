package dev.idem.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** A script that the server runs atomically, called by its digest. */
final class Script {
    private final byte[] text;
    private final byte[] sha;

    private Script(String text) {
        this.text = text.getBytes(StandardCharsets.UTF_8);
        this.sha = sha1(this.text);
    }

    /** The script with this name, after the prelude that reads the time. */
    static Script load(String name, ServerClock clock) {
        // Without comments, which a server would keep in its memory.
        return new Script((clock.prelude() + read(name))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("--"))
                .collect(Collectors.joining("\n")));
    }

    static String read(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the script " + name + " is missing from the artifact");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] text() {
        return text;
    }

    byte[] sha() {
        return sha;
    }

    private static byte[] sha1(byte[] text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-1", e);
        }
    }
}
