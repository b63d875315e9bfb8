package dev.idem.cli.demo;

/**
 * An event in the world of a run.
 *
 * @param step the tool, or the event of the agent's process
 * @param words the description
 * @param counted the counts of the services at that time
 */
record DemoEvent(Kind kind, String step, String words, Counted counted) {
    enum Kind {
        /** A service got a request, or the model got a result. */
        SEEN,
        /** The model waits for {@code release} before it names the last step. */
        HELD,
        /** The model wants no more calls. */
        DONE
    }
}
