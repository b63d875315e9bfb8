package dev.idem.spi;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of what a ledger takes. They are checked by {@link ClaimRequest} and by the rules that every ledger runs, so they
 * hold however a claim or a settlement arrives. Larger entries of earlier versions can be read and settled.
 */
public final class FieldLimits {
    /** The longest name: of an owner, a host, the type of an error. */
    public static final int NAME = 255;

    /** The longest text for people that a caller gives: a reason, a message, evidence. */
    public static final int TEXT = 4_000;

    /** How many labels an entry has at most. */
    public static final int LABELS = 64;

    /** How many marks an attempt leaves at most. */
    public static final int MARKS = 1_000;

    /** A text may be sealed, and a note has a name and a text. */
    private static final int KEPT = 40_000;

    private static final String SEALED = "idem-sealed;";

    private FieldLimits() {}

    /** Refuses a claim with a part that is too long; the message names the part and its limit. */
    public static void require(Map<String, String> labels, Owner owner, Fingerprints fingerprints) {
        if (labels.size() > LABELS) {
            throw new IllegalArgumentException(
                    "'labels' has " + labels.size() + " labels; an entry has at most " + LABELS);
        }
        labels.forEach((name, value) -> {
            requireName("the name of a label", name);
            requireName("the label '" + name + "'", value);
        });
        requireName("the name of the owner", owner.name());
        require(owner.process());
        requireName("a fingerprint", fingerprints.identity() == null ? "" : fingerprints.identity());
        requireName("a fingerprint", fingerprints.content() == null ? "" : fingerprints.content());
    }

    /** Refuses a process whose host has a name that is too long. */
    public static void require(@Nullable ProcessRef process) {
        if (process != null) {
            requireName("the host of a process", process.host());
        }
    }

    private static void requireName(String what, String text) {
        if (text.length() > NAME) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters; it has at most " + NAME);
        }
    }

    /** A text of at most so many characters, and behind it how many it had. Half a surrogate pair becomes a question mark. */
    public static String cut(String text, int longest) {
        String cut =
                text.length() <= longest ? text : text.substring(0, longest) + "… (" + text.length() + " characters)";
        return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /**
     * The settlement as it is kept. What is too long is cut and nothing is refused, since the attempt has ended: a refusal
     * would lose how.
     */
    public static Settlement kept(Settlement how) {
        if (how instanceof Settlement.Completed done) {
            String note = done.note();
            return new Settlement.Completed(
                    kept(done.result()),
                    done.effect(),
                    done.retention(),
                    note == null ? null : kept(note),
                    done.resolution());
        } else if (how instanceof Settlement.Failed failed) {
            return new Settlement.Failed(kept(failed.failure()), failed.kept(), failed.retention());
        } else if (how instanceof Settlement.NotExecuted not) {
            return new Settlement.NotExecuted(kept(not.evidence()), not.retention(), not.resolution());
        } else {
            Settlement.Doubtful doubtful = (Settlement.Doubtful) how;
            return new Settlement.Doubtful(kept(doubtful.failure()), doubtful.ended());
        }
    }

    private static Failure kept(Failure failure) {
        return new Failure(kept(failure.type()), kept(failure.message()));
    }

    private static Result kept(Result result) {
        if (result instanceof Result.Unavailable unavailable) {
            return new Result.Unavailable(kept(unavailable.why()));
        }
        Payload payload = ((Result.Stored) result).payload();
        int names = Math.max(
                payload.encoding().length(),
                Math.max(payload.mediaType().length(), payload.codec().length()));
        return names <= TEXT
                ? result
                : new Result.Unavailable("the name of its media type, codec or encoding has " + names + " characters");
    }

    private static String kept(String text) {
        if (text.length() <= KEPT) {
            return text;
        }
        // The beginning of a sealed text can't be opened.
        return text.startsWith(SEALED)
                ? "a sealed text of " + text.length() + " characters was too long to be kept"
                : cut(text, TEXT);
    }
}
