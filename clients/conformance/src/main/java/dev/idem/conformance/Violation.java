package dev.idem.conformance;

/** What a client did, and which duty of docs/protocol.md it breaks by that. */
final class Violation extends Exception {
    private static final long serialVersionUID = 1;

    Violation(String duty, String seen) {
        super(seen + "; breaks " + duty + " of docs/protocol.md");
    }
}
