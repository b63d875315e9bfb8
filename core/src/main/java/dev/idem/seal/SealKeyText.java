package dev.idem.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/** The text form of keys. Error messages name the position and never quote the text. */
final class SealKeyText {
    private static final long LARGEST = 1 << 16;

    private SealKeyText() {}

    static SealKeys ofFile(Path file) {
        try {
            refuseOpenToOthers(file);
            if (Files.size(file) > LARGEST) {
                throw new IllegalArgumentException(file + " is too large for a file of seal keys");
            }
            return parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), file.toString());
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file of seal keys is not there: " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the seal keys can't be read from " + file + ": " + e, e);
        }
    }

    static SealKeys ofVariable(String variable, Map<String, String> env) {
        String text = env.get(variable);
        if (text == null) {
            throw new IllegalArgumentException("the environment variable " + variable + ", for seal keys, is not set");
        }
        return parse(text, variable);
    }

    private static void refuseOpenToOthers(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
        Set<PosixFilePermission> tooMuch = Set.of(
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.GROUP_WRITE,
                PosixFilePermission.OTHERS_READ,
                PosixFilePermission.OTHERS_WRITE);
        if (granted.stream().anyMatch(tooMuch::contains)) {
            throw new IllegalArgumentException(file + " holds seal keys and is open to others than its owner ("
                    + PosixFilePermissions.toString(granted) + "): chmod 600 " + file);
        }
    }

    /** Reads {@code id:base64}, a line each or between commas. */
    private static SealKeys parse(String text, String source) {
        SealKeys keys = SealKeys.none();
        int number = 0;
        for (String line : text.split("\r?\n", -1)) {
            number++;
            if (line.strip().startsWith("#")) {
                continue;
            }
            for (String part : line.split(",", -1)) {
                keys = part.isBlank() ? keys : with(keys, part.strip(), source + ", line " + number);
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(source + " holds no seal key; write one as id:base64");
        }
        return keys;
    }

    private static SealKeys with(SealKeys keys, String part, String where) {
        int colon = part.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(where + ": a seal key is written as id:base64");
        }
        byte[] key = decoded(part.substring(colon + 1).strip(), where);
        try {
            return keys.alsoReading(part.substring(0, colon).strip(), key);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static byte[] decoded(String base64, String where) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            // Without the cause, which would quote a part of the key.
            throw new IllegalArgumentException(
                    where + ": the text after the colon is no base64; make a key with: openssl rand -base64 32");
        }
    }
}
