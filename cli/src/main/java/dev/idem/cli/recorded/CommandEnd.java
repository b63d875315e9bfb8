package dev.idem.cli.recorded;

/** An end of a command that is no result: what was thrown still knows how it ended and what it wrote. */
public interface CommandEnd {
    /** How the command ended; its exit code is the one this call passes on. */
    CommandResult result();
}
