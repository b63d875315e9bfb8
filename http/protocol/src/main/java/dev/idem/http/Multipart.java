package dev.idem.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a multipart body (RFC 2046): name, file name and digest of each. Boundaries do not count, since they
 * change with every retry. Reads a body of any length with little memory.
 */
final class Multipart {
    private static final Pattern BOUNDARY =
            Pattern.compile("(?i);\\s*boundary=(?:\"([^\"]{1,200})\"|([^\\s;\"]{1,200}))");
    private static final Pattern NAME =
            Pattern.compile("(?i);\\s*(name|filename\\*?)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.){0,1000})\"|([^\\s;\"]*))");
    private static final int LONGEST_LINE = 8192;
    private static final int MOST_LINES = 100;
    private static final int BUFFER = 8192;

    private final InputStream in;
    /** A line break and the boundary. A line break occurs only at its beginning. */
    private final byte[] delimiter;
    /** Read and written without a lock for each byte, as the streams of the JDK have it. */
    private final byte[] read = new byte[BUFFER];

    private final byte[] copied = new byte[BUFFER];
    private int readTo;
    private int readFrom;
    private int copiedTo;

    private Multipart(InputStream in, String boundary) {
        this.in = in;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The parts in order; null where the body is not well-formed. */
    static @Nullable List<Map<String, String>> parts(InputStream in, String contentType) throws IOException {
        Matcher boundary = BOUNDARY.matcher(contentType);
        return boundary.find()
                ? new Multipart(in, boundary.group(1) != null ? boundary.group(1) : boundary.group(2)).parts()
                : null;
    }

    private @Nullable List<Map<String, String>> parts() throws IOException {
        List<Map<String, String>> parts = new ArrayList<>();
        // The first boundary may stand at the very beginning, without the line break.
        boolean more = digestPart(AddressNames.sha256(), 2);
        while (more) {
            String rest = line();
            if (rest == null || !(rest.isBlank() || rest.startsWith("--"))) {
                return null;
            } else if (rest.startsWith("--")) {
                return parts;
            }
            Map<String, String> part = names();
            if (part == null) {
                return null;
            }
            MessageDigest digest = AddressNames.sha256();
            more = digestPart(digest, 0);
            part.put("sha256", AddressNames.hex(digest.digest()));
            parts.add(part);
        }
        return null;
    }

    /** The name and the file name in the header of a part; null where the header is not well-formed. */
    private @Nullable Map<String, String> names() throws IOException {
        Map<String, String> names = new TreeMap<>();
        for (int lines = 0; lines < MOST_LINES; lines++) {
            String line = line();
            if (line == null) {
                return null;
            } else if (line.isEmpty()) {
                return names;
            } else if (line.toLowerCase(Locale.ROOT).startsWith("content-disposition:")) {
                Matcher name = NAME.matcher(line);
                while (name.find()) {
                    String value = name.group(2) != null ? name.group(2) : name.group(3);
                    names.put(name.group(1).toLowerCase(Locale.ROOT), value);
                }
            }
        }
        return null;
    }

    /** A line without its end; null where it does not end, or is very long. */
    private @Nullable String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = next(); next >= 0 && line.size() < LONGEST_LINE; next = next()) {
            if (next == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1).replaceFirst("\r$", "");
            }
            line.write(next);
        }
        return null;
    }

    /** Digests the bytes before the delimiter, of which some bytes count as read; false where there is no delimiter. */
    private boolean digestPart(MessageDigest digest, int alreadyMatched) throws IOException {
        int matched = alreadyMatched;
        for (int next = next(); next >= 0; next = next()) {
            if (next == delimiter[matched]) {
                matched++;
                if (matched == delimiter.length) {
                    flush(digest);
                    return true;
                }
            } else {
                for (int i = 0; i < matched; i++) {
                    copy(delimiter[i], digest);
                }
                matched = next == delimiter[0] ? 1 : 0;
                if (matched == 0) {
                    copy((byte) next, digest);
                }
            }
        }
        return false;
    }

    private void copy(byte one, MessageDigest digest) {
        if (copiedTo == copied.length) {
            flush(digest);
        }
        copied[copiedTo] = one;
        copiedTo++;
    }

    private void flush(MessageDigest digest) {
        digest.update(copied, 0, copiedTo);
        copiedTo = 0;
    }

    private int next() throws IOException {
        if (readFrom == readTo) {
            readFrom = 0;
            readTo = in.read(read);
            if (readTo <= 0) {
                readTo = 0;
                return -1;
            }
        }
        int next = read[readFrom] & 0xFF;
        readFrom++;
        return next;
    }
}
