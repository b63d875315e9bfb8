package dev.idem.agent.approval;

/** The answer to the question whether a call may be made. */
public sealed interface Ruling {
    ApprovalRequest request();

    /** The call may be made once. */
    record Granted(ApprovalRequest request, Decision decision) implements Ruling {}

    /** There is no decision yet. */
    record Pending(ApprovalRequest request) implements Ruling {}

    /** The call must not be made. */
    record Denied(ApprovalRequest request, Decision decision) implements Ruling {}

    /** The text for the model. */
    default String forModel() {
        ApprovalRequest request = request();
        if (this instanceof Granted granted) {
            return "'" + request.tool() + "' was " + granted.decision().told() + ".";
        } else if (this instanceof Denied denied) {
            return "'" + request.tool() + "' was not called: it was "
                    + denied.decision().told()
                    + ". Do not call it again with these arguments; tell the user, or find another way.";
        }
        return "'" + request.tool()
                + "' was not called yet: a person has to approve it first. What waits for approval: "
                + request.summary() + ". Tell the user that it can be approved with the key " + request.key()
                + " until "
                + request.expiresAt() + ", and call it again with exactly the same arguments after that.";
    }
}
