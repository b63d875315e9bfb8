package dev.idem.agent.inbox;

/** Where events go that are given up: a queue of their own, a table, a person's mailbox. */
@FunctionalInterface
public interface DeadLetters {
    /**
     * Takes an event that is given up; called once for it. If it throws, the event is not given up yet, and this is
     * called again at the next delivery.
     */
    void accept(DeadLetter letter) throws Exception;
}
