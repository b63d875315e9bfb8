package dev.idem;

/** The key belongs to an operation with another identity or content. This call ran nothing. */
public final class ConflictException extends EntryException {
    private static final long serialVersionUID = 1;

    private ConflictException(Entry entry, String message) {
        super(entry, message, null);
    }

    /** The entry of the key has another identity. */
    public static ConflictException ofIdentity(Entry entry) {
        return new ConflictException(
                entry,
                "the key " + entry.address() + " was first used at "
                        + entry.times().created()
                        + " with other arguments. Nothing was run; use a new key for new work, or send the arguments "
                        + "the key was made for");
    }

    /** The identity is the same, but the content was reworded and the operation does not allow that. */
    public static ConflictException ofContent(Entry entry) {
        return new ConflictException(
                entry,
                "the key " + entry.address() + " was first used at "
                        + entry.times().created()
                        + " with other content, and this operation treats reworded content as a conflict. Nothing was "
                        + "run; use a new key, or allow rewording with onReworded(Reworded.WARN)");
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
