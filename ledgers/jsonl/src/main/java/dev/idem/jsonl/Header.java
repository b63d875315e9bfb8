package dev.idem.jsonl;

import dev.idem.jsonl.line.BadLineException;
import dev.idem.jsonl.line.LineBuffer;
import dev.idem.jsonl.line.LineReader;
import dev.idem.jsonl.line.LineWriter;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** The first line of a ledger file: it names the kind of file, the version of its format, and this one file. */
final class Header {
    static final long VERSION = 1;

    private static final String FORMAT = "idem-jsonl";
    private static final String START = "{\"id\":\"\",\"state\":\"ledger\"";
    private static final Pattern VERSION_MEMBER = Pattern.compile("\"version\":(\\d{1,9})");

    private Header() {}

    static void write(LineBuffer out) {
        out.line(LineWriter.header(FORMAT, VERSION, UUID.randomUUID().toString()));
    }

    /** Whether a first line looks like a header of this ledger. */
    static boolean isMeant(String line) {
        return line.startsWith(START) || line.contains("\"format\":\"" + FORMAT + "\"");
    }

    /** Refuses a header that is damaged or has an unknown version. */
    static void require(String line, Errors errors) {
        Matcher version = VERSION_MEMBER.matcher(line);
        if (version.find() && Long.parseLong(version.group(1)) > VERSION) {
            throw errors.refused("has format version " + version.group(1) + ", and this program knows version "
                    + VERSION + " at most. Use a newer version of Idem; the file was left as it is");
        }
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            LineReader.check(new CRC32C(), bytes, 0, bytes.length);
        } catch (BadLineException e) {
            throw errors.badLine(1, e);
        }
        if (!line.startsWith(START)) {
            throw errors.badLine(1, new BadLineException("it is not the first line of a ledger"));
        }
    }
}
