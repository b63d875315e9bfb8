package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of request states as simpler programs write it: a line for each change with {@code id}, {@code state},
 * {@code result} or {@code error}, and {@code ts}; the last line of an id counts.
 *
 * <p>Such a file has no expiry, so its entries are kept for a century. A request in progress becomes an entry in doubt,
 * because the file does not say how it ended; so does a failed one, because a failure does not prove that nothing
 * happened.
 *
 * @param torn whether the last line was incomplete and was skipped
 */
record FoundingFile(List<Line> requests, boolean torn) {
    private static final Retention FOR_GOOD = Retention.of(Duration.ofDays(36_525));

    static FoundingFile read(Disk.OpenFile file, long size, Instant now, Errors errors) throws IOException {
        Map<String, Line> newest = new LinkedHashMap<>();
        LineSource source = new LineSource(file, 0, size);
        boolean torn = false;
        for (long number = 1; source.next(); number++) {
            byte[] text = Arrays.copyOfRange(source.bytes(), source.start(), source.end());
            try {
                if (!isBlank(text)) {
                    Line line = Line.read(text, now);
                    newest.remove(line.address.key());
                    newest.put(line.address.key(), line);
                }
            } catch (BadLineException e) {
                if (newest.isEmpty()) {
                    throw errors.refused("is no JSONL ledger, nor a file of request states: line " + number + ": "
                            + e.why() + ". It was left as it is; name another file");
                }
                torn = !source.whole() && text[0] == '{';
                if (!torn) {
                    throw errors.badLine(number, e);
                }
            }
        }
        if (newest.isEmpty()) {
            throw errors.refused("holds nothing but blank lines. Remove it, or name another file");
        }
        return new FoundingFile(List.copyOf(newest.values()), torn);
    }

    private static boolean isBlank(byte[] text) {
        for (byte b : text) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    /**
     * One line, checked.
     *
     * @param how it ended; doubtful where it did not
     */
    record Line(Address address, Instant at, Settlement how) {
        static Line read(byte[] text, Instant now) {
            Object parsed;
            try {
                parsed = Json.parseExact(text);
            } catch (JsonException e) {
                // Without the cause, whose message may quote the line.
                throw new BadLineException("it is not JSON", e);
            }
            if (!(parsed instanceof Map<?, ?> members)) {
                throw new BadLineException("it is not an object");
            }
            if (members.containsKey("crc")) {
                throw new BadLineException("it is of a ledger whose first line is missing");
            }
            if (!(members.get("id") instanceof String id) || !(members.get("state") instanceof String state)) {
                throw new BadLineException("it has no 'id' or no 'state'");
            }
            Settlement how = how(state, members);
            try {
                Address address = new Address(Address.DEFAULT_SCOPE, "request", id);
                return new Line(address, at(members.get("ts"), now), how);
            } catch (IllegalArgumentException e) {
                throw new BadLineException("its id can't be a key: " + e.getMessage(), e);
            }
        }

        private static Settlement how(String state, Map<?, ?> members) {
            return switch (state) {
                case "complete" -> {
                    byte[] json = Json.write(members.get("result")).getBytes(StandardCharsets.UTF_8);
                    Payload payload = Payload.of(json, "application/json", "json");
                    yield new Settlement.Completed(new Result.Stored(payload), Effect.CREATED, FOR_GOOD);
                }
                case "failed" -> {
                    Object error = members.get("error");
                    String message = error == null ? "" : error instanceof String text ? text : Json.write(error);
                    yield new Settlement.Doubtful(Failure.told("error", message));
                }
                case "in_progress" ->
                    new Settlement.Doubtful(
                            new Failure("unknown", "its file was taken over while it was marked as in progress"));
                default -> throw new BadLineException("its state is none of complete, failed and in_progress");
            };
        }

        private static Instant at(@Nullable Object ts, Instant now) {
            if (ts == null) {
                return now;
            }
            if (!(ts instanceof Number number)) {
                throw new BadLineException("its 'ts' is not a number");
            }
            try {
                BigDecimal nanos =
                        new BigDecimal(number.toString()).movePointRight(9).setScale(0, RoundingMode.FLOOR);
                BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
                return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
            } catch (ArithmeticException | java.time.DateTimeException e) {
                throw new BadLineException("its 'ts' is no time", e);
            }
        }
    }
}
