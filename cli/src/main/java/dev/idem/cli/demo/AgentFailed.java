package dev.idem.cli.demo;

/** An agent has not done what it should. */
final class AgentFailed extends Exception {
    private static final long serialVersionUID = 1;

    AgentFailed(String message) {
        super(message);
    }
}
