package dev.idem.gauntlet;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A floor: a map of futures, claimed by {@code putIfAbsent} and removed on any exception. */
final class FutureMap implements Contender {
    private final Map<String, CompletableFuture<@Nullable String>> results = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "map of futures";
    }

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public String configuration() {
        return "ConcurrentHashMap.putIfAbsent(key, future); removed on any exception";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = operation + '/' + key;
        CompletableFuture<@Nullable String> mine = new CompletableFuture<>();
        CompletableFuture<@Nullable String> theirs = results.putIfAbsent(name, mine);
        try {
            if (theirs != null) {
                return new Answer.Value(theirs.join());
            }
            String value = work.run();
            mine.complete(value);
            return new Answer.Value(value);
        } catch (CompletionException e) {
            return new Answer.Refused(e);
        } catch (RuntimeException e) {
            results.remove(name);
            mine.completeExceptionally(e);
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {}
}
