package dev.idem.mcp.guard;

import dev.idem.Entry;
import dev.idem.Key;
import dev.idem.NotExecutedException;
import dev.idem.spi.Failure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One round of a call whose tool asks for input ({@code input_required}). A tool may act and then ask, so its attempt ends in
 * doubt, and the failure keeps a digest of the state that the next round has to bring. Only a request with that state runs,
 * and once: a copy of an earlier round brings another state, or the same input that was taken before.
 *
 * <p>Where the server gives no state, the names of its questions take its place: the next round answers exactly these.
 */
final class Round {
    private static final String RESPONSES = "inputResponses";
    private static final String STATE = "requestState";

    /** Stands for a digest where there is nothing to make one of. */
    private static final String NOTHING = "-";

    private static final Set<String> KINDS = Set.of(ServerSaid.class.getName(), NotExecutedException.class.getName());
    private static final Pattern MARK = Pattern.compile("(input_required (\\S+) (\\S+)): .*", Pattern.DOTALL);

    /** What this request answers, and the same with its answers. */
    private final String brought;

    private final String input;

    /** The mark in the doubt that this round goes on with; null as long as there is none. */
    private volatile @Nullable String mark;

    /** The digests of the inputs of the rounds before, each with a comma behind it: a late copy of any of them does not run. */
    private volatile String taken = "";

    private Round(String brought, String input) {
        this.brought = brought;
        this.input = input;
    }

    static Round of(Message request) {
        Object state = request.param(STATE);
        Object responses = request.param(RESPONSES);
        String brought = digest(state, responses);
        return new Round(brought, brought.equals(NOTHING) ? NOTHING : digest(List.of(brought, given(responses))));
    }

    /** Whether this is the next round of the attempt in doubt. */
    boolean fits(Entry doubted) {
        Failure failure = doubted.failure();
        Matcher told = MARK.matcher(failure == null || !KINDS.contains(failure.type()) ? "" : failure.message());
        boolean fits = told.matches()
                && !brought.equals(NOTHING)
                && brought.equals(told.group(2))
                && !List.of(told.group(3).split(",", -1)).contains(input);
        if (fits) {
            mark = told.group(1);
            taken = told.group(3) + ",";
        }
        return fits;
    }

    /** The message of the failure of an attempt that ended with a question. */
    String asked(Message response) {
        return "input_required " + digest(response.result(STATE), response.result("inputRequests")) + " " + taken
                + input + ": the server asked for input, and may have acted before";
    }

    /** The same exception; of a round that did nothing, one that lets the round come again. */
    NotExecutedException again(NotExecutedException nothingRan) {
        return mark == null ? nothingRan : new NotExecutedException(mark + ": " + nothingRan.getMessage(), nothingRan);
    }

    private static String digest(@Nullable Object state, @Nullable Object questions) {
        if (state != null) {
            return digest(Map.of(STATE, state));
        }
        return questions instanceof Map<?, ?> named && !named.isEmpty()
                ? digest(List.copyOf(new TreeSet<>(
                        named.keySet().stream().map(String::valueOf).toList())))
                : NOTHING;
    }

    private static String digest(Object value) {
        return Key.derive("mcp", "round", value).value();
    }

    private static Object given(@Nullable Object value) {
        return value == null ? NOTHING : value;
    }
}
