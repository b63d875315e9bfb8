package dev.idem.agent.inbox;

/** Takes events that were given up, for instance into a queue or a table. */
@FunctionalInterface
public interface DeadLetters {
    /**
     * Takes an event. It is called once for each event; if it throws, it is called again at the next delivery.
     */
    void accept(DeadLetter letter) throws Exception;
}
