package dev.idem;

/** The treatment of a call whose entry is complete. */
public enum Repeat {
    /** The call gets the stored result, and nothing runs. */
    REPLAY,

    /**
     * The call runs as if it were the first one: for actions that set a state, such as writing a file, where the stored
     * result of an earlier call says nothing about the state now. A call made while another one runs still gets the
     * result of that one.
     */
    RUN
}
