package dev.idem.gauntlet;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A floor: look into a map, run, put. The simplest code, and wrong. */
final class CheckThenAct implements Contender {
    private final Map<String, String> results = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "check-then-act map";
    }

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public String configuration() {
        return "ConcurrentHashMap: get, run, put";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = operation + '/' + key;
        String known = results.get(name);
        if (known != null) {
            return new Answer.Value(known);
        }
        try {
            String value = work.run();
            if (value != null) {
                results.put(name, value);
            }
            return new Answer.Value(value);
        } catch (RuntimeException e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {}
}
