package dev.idem.cli.demo;

/**
 * Something that the world of a run has seen.
 *
 * @param step the tool it is about, or what befell the agent
 * @param words what happened
 * @param counted what the services had counted by then
 */
record Event(Kind kind, String step, String words, Counted counted) {
    enum Kind {
        /** A service was asked for something, or the model was told of it. */
        SEEN,
        /** The model is about to say the last step, and waits to be let go on. */
        HELD,
        /** The model has said that nothing is left to do. */
        DONE
    }
}
