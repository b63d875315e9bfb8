package dev.idem.jsonl.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Tells a file from another file that was given its name.
 *
 * @param identity the key of the file in its file system; the first line, with its random id, where there are no keys
 */
public record FileMark(Object identity, long size) {
    /** The mark of the file that has this name now. */
    static FileMark of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Object key = attributes.fileKey();
        return key == null ? ofContent(file, attributes.size()) : new FileMark(key, attributes.size());
    }

    /** The mark on a file system without keys, such as that of Windows. */
    public static FileMark ofContent(Path file, long size) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            return new FileMark(String.valueOf(reader.readLine()), size);
        }
    }

    public boolean isSameFile(FileMark other) {
        return identity.equals(other.identity);
    }
}
