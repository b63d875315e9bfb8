package dev.idem.cli.recorded;

/** The command ended in a way that does not tell whether it took effect. */
public final class CommandDoubtful extends Exception implements CommandEnd {
    private static final long serialVersionUID = 1;

    private final transient CommandResult result;

    public CommandDoubtful(String how, CommandResult result) {
        super(how);
        this.result = result;
    }

    @Override
    public CommandResult result() {
        return result;
    }
}
