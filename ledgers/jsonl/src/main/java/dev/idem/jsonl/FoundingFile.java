package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.internal.codec.RequestLine;
import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.line.LineSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A file of request states as simpler programs write it: a line for each change of a request; the last line of an id
 * counts. A line that can't be read is left out; the rest is taken over.
 *
 * @param refused the lines that were left out, and why
 * @param torn whether the last line was incomplete and was skipped
 */
record FoundingFile(List<RequestLine> requests, List<String> refused, boolean torn) {
    private static final Pattern LEDGER_LINE = Pattern.compile(".*,\"crc\":\"[0-9a-f]{8}\"}");

    /** The address of a request, as of {@code RequestStore}. */
    static Address address(RequestLine line) {
        return new Address(Address.DEFAULT_SCOPE, "request", line.key());
    }

    static FoundingFile read(Disk.OpenFile file, long size, Errors errors) throws IOException {
        Map<String, RequestLine> newest = new LinkedHashMap<>();
        List<String> refused = new ArrayList<>();
        LineSource source = new LineSource(file, 0, size);
        boolean torn = false;
        for (long number = 1; source.next(); number++) {
            try {
                String text = text(source);
                if (LEDGER_LINE.matcher(text).matches()) {
                    throw errors.refused("is a ledger whose first line is missing or damaged, as line " + number
                            + " shows. It was left as it is; restore it from a copy");
                }
                if (newest.isEmpty() && RequestLine.beginsArray(text)) {
                    throw errors.refused(RequestLine.IS_ARRAY + ". It was left as it is");
                }
                if (!text.isBlank()) {
                    RequestLine line = RequestLine.read(text);
                    String key = line.key();
                    newest.remove(key);
                    newest.put(key, line);
                }
            } catch (IllegalArgumentException e) {
                torn = !source.whole() && source.bytes()[source.start()] == '{';
                if (!torn) {
                    refused.add("line " + number + ": " + e.getMessage());
                }
            }
        }
        if (newest.isEmpty()) {
            throw errors.refused(
                    refused.isEmpty() && !torn
                            ? "holds nothing but blank lines. Remove it, or name another file"
                            : "is no JSONL ledger, nor a file of request states: "
                                    + (torn ? "its only line has no end" : refused.get(0))
                                    + ". It was left as it is; name another file");
        }
        return new FoundingFile(List.copyOf(newest.values()), refused, torn);
    }

    private static String text(LineSource source) {
        try {
            ByteBuffer line = ByteBuffer.wrap(source.bytes(), source.start(), source.end() - source.start());
            return RequestLine.unmarked(
                    StandardCharsets.UTF_8.newDecoder().decode(line).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        }
    }
}
