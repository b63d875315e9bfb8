package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Doubt;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the line of an entry, one member after the other. Used once. */
final class EntryReader {
    private final byte[] line;
    private final Cursor in;
    private String key = "";
    private String operation = "";
    private String scope = "";
    private State state = State.IN_DOUBT;
    private long fence;
    private long acted;
    private long replays;
    private int attempt;
    private @Nullable Instant expires;
    private @Nullable Instant gone;
    private @Nullable Instant at;
    private @Nullable Instant claimed;
    private @Nullable Instant created;
    private @Nullable Duration keep;
    private @Nullable String identity;
    private @Nullable String content;
    private @Nullable Address parent;
    private Map<String, String> labels = Map.of();
    private @Nullable AttemptId attemptId;
    private String owner = "";
    private @Nullable ProcessRef process;
    private @Nullable Moment lease;
    private @Nullable Moment limit;
    private boolean staged;
    private List<Mark> marks = List.of();
    private @Nullable Doubt doubt;
    private int resultFrom = -1;
    private int resultTo;
    private ResultText.Form form = ResultText.Form.JSON;
    private @Nullable String media;
    private @Nullable String codec;
    private String encoding = Payload.IDENTITY;
    private Effect effect = Effect.CREATED;
    private @Nullable String error;
    private String type = "";
    private boolean kept;
    private boolean doubtful;
    private @Nullable String evidence;
    private @Nullable String note;

    private EntryReader(byte[] line, int length) {
        this.line = line;
        this.in = new Cursor(line, 0, length);
    }

    /** The entry of a line, given without its line end. */
    static Entry read(byte[] line, int length) {
        try {
            Cursor.check(new CRC32C(), line, 0, length);
            EntryReader reader = new EntryReader(line, length);
            reader.in.enter();
            for (String name = reader.in.nextName(); !name.isEmpty(); name = reader.in.nextName()) {
                reader.member(name);
            }
            return reader.entry();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new BadLineException("it has a value that can't be: " + e.getMessage(), e);
        }
    }

    private void member(String name) {
        switch (name) {
            case "id" -> key = in.string();
            case "state" -> state = State.ofWord(in.string());
            case "operation" -> operation = in.string();
            case "scope" -> scope = in.string();
            case "fence" -> fence = in.number();
            case "expires" -> expires = in.time();
            case "gone" -> gone = in.time();
            case "replays" -> replays = in.number();
            case "ts" -> at = in.time();
            case "claimed" -> claimed = in.time();
            case "created" -> created = in.time();
            case "keep" -> keep = Duration.between(Instant.EPOCH, in.time());
            case "attempt" -> attempt = in.smallNumber();
            case "identity" -> identity = in.string();
            case "content" -> content = in.string();
            case "parent" -> parent = address();
            case "labels" -> labels = labels();
            case "doubt" -> doubt = doubt();
            default -> {
                if (!tenureMember(name) && !settlementMember(name)) {
                    in.skip();
                }
            }
        }
    }

    private boolean tenureMember(String name) {
        switch (name) {
            case "attempt_id" -> attemptId = AttemptId.parse(in.string());
            case "owner" -> owner = in.string();
            case "process" -> {
                in.nextElement();
                process = process();
                in.nextElement();
            }
            case "lease" -> lease = moment("");
            case "limit" -> limit = moment(lease == null ? "" : lease.boot());
            case "acted" -> acted = in.number();
            case "staged" -> staged = in.bool();
            case "marks" -> marks = marks();
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean settlementMember(String name) {
        switch (name) {
            case "result" -> {
                resultFrom = in.position();
                in.skip();
                resultTo = in.position();
            }
            case "form" -> form = ResultText.Form.ofWord(in.string());
            case "media" -> media = in.string();
            case "codec" -> codec = in.string();
            case "encoding" -> encoding = in.string();
            case "effect" -> effect = Effect.ofWord(in.string());
            case "error" -> error = in.string();
            case "type" -> type = in.string();
            case "kept" -> kept = in.bool();
            case "doubtful" -> doubtful = in.bool();
            case "evidence" -> evidence = in.string();
            case "note" -> note = in.string();
            default -> {
                return false;
            }
        }
        return true;
    }

    private Address address() {
        in.nextElement();
        String ofScope = in.string();
        in.nextElement();
        String ofOperation = in.string();
        in.nextElement();
        Address address = new Address(ofScope, ofOperation, in.string());
        in.nextElement();
        return address;
    }

    private Map<String, String> labels() {
        Map<String, String> all = new HashMap<>();
        in.enter();
        while (in.peek() != '}') {
            in.accept(',');
            String name = in.string();
            in.accept(':');
            all.put(name, in.string());
        }
        in.accept('}');
        return all;
    }

    private Doubt doubt() {
        in.nextElement();
        String reason = in.string();
        in.nextElement();
        Doubt read = new Doubt(reason, in.time());
        in.nextElement();
        return read;
    }

    private ProcessRef process() {
        String host = in.string();
        in.nextElement();
        long pid = in.number();
        in.nextElement();
        return new ProcessRef(host, pid, in.number());
    }

    private List<Mark> marks() {
        List<Mark> all = new ArrayList<>();
        while (in.nextElement()) {
            in.nextElement();
            String name = in.string();
            ProcessRef child = in.nextElement() ? process() : null;
            if (child != null) {
                in.nextElement();
            }
            all.add(new Mark(name, child));
        }
        return all;
    }

    private Moment moment(String named) {
        in.nextElement();
        Instant wall = in.time();
        if (!in.nextElement()) {
            return Moment.ofWall(wall);
        }
        long nanos = in.number();
        if (!in.nextElement()) {
            return new Moment(wall, named, nanos);
        }
        String boot = in.string();
        in.nextElement();
        return new Moment(wall, boot, nanos);
    }

    private Entry entry() {
        Instant last = needed(at, "ts");
        Instant grant = claimed == null ? last : claimed;
        Tenure tenure = new Tenure(
                needed(attemptId, "attempt_id"),
                new Owner(owner, process),
                needed(lease, "lease"),
                new Fence(acted == 0 ? fence : acted),
                needed(limit, "limit"),
                staged,
                marks);
        return new Entry(
                new Address(scope, operation, key),
                state,
                new Fence(fence),
                attempt,
                identity == null && content == null ? Fingerprints.NONE : new Fingerprints(identity, content),
                parent,
                labels,
                tenure,
                doubt,
                new Times(created == null ? grant : created, grant, claimed == null ? null : last, expires),
                replays,
                settlement());
    }

    private @Nullable Settlement settlement() {
        if (resultFrom >= 0) {
            return new Settlement.Completed(result(), effect, retention(), note);
        } else if (error != null) {
            Failure failure = new Failure(type, error);
            return doubtful ? new Settlement.Doubtful(failure) : new Settlement.Failed(failure, kept, retention());
        }
        return evidence == null ? null : new Settlement.NotExecuted(evidence, retention());
    }

    private Result result() {
        if (form == ResultText.Form.UNAVAILABLE) {
            return new Result.Unavailable(new Cursor(line, resultFrom, resultTo).string());
        }
        byte[] bytes = ResultText.bytes(form, line, resultFrom, resultTo);
        return new Result.Stored(
                new Payload(bytes, media == null ? form.media : media, codec == null ? form.codec : codec, encoding));
    }

    private Retention retention() {
        Duration kept = keep;
        if (kept == null) {
            kept = Duration.between(needed(at, "ts"), needed(expires, "expires"));
        }
        return new Retention(kept, gone == null || expires == null ? Duration.ZERO : Duration.between(expires, gone));
    }

    private static <T> T needed(@Nullable T value, String name) {
        if (value == null) {
            throw new BadLineException("it has no '" + name + "'");
        }
        return value;
    }
}
