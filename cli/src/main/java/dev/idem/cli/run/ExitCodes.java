package dev.idem.cli.run;

import dev.idem.cli.syntax.UsageException;
import dev.idem.command.ExitCode;
import java.util.BitSet;

/** A set of exit codes between 1 and 127, written as {@code 1,2,64-78}, or by the name of a program. */
public final class ExitCodes {
    private final BitSet codes;

    private ExitCodes(BitSet codes) {
        this.codes = codes;
    }

    public static ExitCodes none() {
        return new ExitCodes(new BitSet());
    }

    /**
     * Reads a list.
     *
     * @param source of the list, for messages
     */
    public static ExitCodes parse(String list, String source) {
        BitSet codes = new BitSet();
        for (String part : list.split(",", -1)) {
            String preset = Presets.exits(part.strip());
            String[] ends = (preset == null ? part : preset).strip().split("-", 2);
            int from = code(ends[0], source);
            int to = ends.length == 1 ? from : code(ends[1], source);
            if (from > to) {
                throw new UsageException(source + ": " + part.strip() + " runs backwards");
            }
            codes.set(from, to + 1);
        }
        return new ExitCodes(codes);
    }

    private static int code(String text, String source) {
        int code = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
        if (code < 0) {
            throw new UsageException(
                    source + ": '" + text + "' is no exit code; write for instance 1,2,64-78, curl or wget");
        }
        if (code == 0) {
            throw new UsageException(source + ": exit 0 means that it happened");
        }
        if (code >= ExitCode.FIRST_SIGNAL) {
            throw new UsageException(
                    source + ": " + code + " is 128 or more: the command was killed, and that is always " + "in doubt");
        }
        return code;
    }

    public boolean contains(int code) {
        return codes.get(code);
    }
}
