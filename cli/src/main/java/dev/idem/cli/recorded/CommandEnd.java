package dev.idem.cli.recorded;

/** An exception for a command that ended without a result; it has the exit and the output. */
public interface CommandEnd {
    /** The end of the command; this call passes on its exit code. */
    CommandResult result();
}
