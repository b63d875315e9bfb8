package dev.idem.cli.recorded;

/** The command ended, and it is unknown whether it took effect. */
public final class CommandDoubtful extends Exception implements CommandEnd {
    private static final long serialVersionUID = 1;

    private final transient CommandResult result;
    private final String how;

    /**
     * The exception for an end.
     *
     * @param how it ended: a short phrase
     * @param about details for people on separate lines; may contain secrets, may be empty
     */
    public CommandDoubtful(String how, String about, CommandResult result) {
        super(about.isEmpty() ? how : how + "\n" + about);
        this.how = how;
        this.result = result;
    }

    /** The end in a short phrase: the first line of the message. */
    public String how() {
        return how;
    }

    @Override
    public CommandResult result() {
        return result;
    }
}
