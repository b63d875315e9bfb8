package dev.idem.jsonl;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.internal.ledger.LedgerPaths;
import dev.idem.jsonl.line.BadLineException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions of a ledger file. Each message says what to do. */
final class Errors {
    private final Path path;

    Errors(Path path) {
        this.path = path;
    }

    LedgerUnreadableException badLine(long number, BadLineException e) {
        return new LedgerUnreadableException(
                "ledger jsonl:" + path + " is damaged in line " + number + ": " + e.why()
                        + ". Nothing was changed. Restore the file from a copy; or, knowing that keys whose lines are"
                        + " lost will run again, remove the line and open the rest as a new ledger",
                e);
    }

    LedgerUnreadableException refused(String why) {
        return new LedgerUnreadableException("ledger jsonl:" + path + " " + why, null);
    }

    /** The file can't be opened. */
    LedgerUnavailableException notOpened(IOException e) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " can't be opened (" + LedgerPaths.reason(e)
                        + "). Check that this user may read and write it and its folder, or name another ledger",
                e);
    }

    LedgerUnavailableException held(Path lock, String holder) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " is in use by " + holder + ", which holds " + lock
                        + ". A JSONL ledger serves one process at a time: end that process, name another file, or use"
                        + " sqlite:, which serves many",
                null);
    }

    /** A line of an open ledger can't be read. */
    LedgerException badEntry(long offset, BadLineException e) {
        return new LedgerUnreadableException(
                "ledger jsonl:" + path + " is damaged in the line that begins at byte " + offset + ": " + e.why()
                        + ". Something else has written to the file. Close the ledger and open it again to see more",
                e);
    }

    LedgerUnavailableException notRead(IOException e) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " can't be read (" + LedgerPaths.reason(e) + ")", e);
    }

    /** A batch could not be written and was removed. */
    LedgerUnavailableException notWritten(IOException e) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " can't grow (" + LedgerPaths.reason(e)
                        + "): nothing was written. If the disk is full, make room and try again",
                e);
    }

    /** The last writes may or may not be durable, and a second sync would not show it. */
    LedgerUnavailableException notSynced(IOException e) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " is closed for good, because the last changes could not be synced to the disk"
                        + " (" + LedgerPaths.reason(e)
                        + "). They may be lost: check the disk, then open the ledger again",
                e);
    }

    /** The name of the ledger leads to another file, or to none, or something else has written to the file. */
    LedgerUnavailableException displaced(IOException e) {
        return new LedgerUnavailableException(
                "ledger jsonl:" + path + " is closed for good, because its file is no longer as this process left it ("
                        + LedgerPaths.reason(e)
                        + "): it was deleted, renamed, replaced or cut, for instance by a log rotation or a"
                        + " cleaner. The last changes may be lost. Put the file back before you open the ledger again:"
                        + " keys whose lines are missing would run again",
                e);
    }

    LedgerUnavailableException closed(@Nullable Throwable cause) {
        return new LedgerUnavailableException("ledger jsonl:" + path + " is closed", cause);
    }

    /** A copy of the exception that ended the ledger, for another caller. */
    LedgerUnavailableException asItWas(LedgerException why) {
        return new LedgerUnavailableException(String.valueOf(why.getMessage()), why);
    }
}
