package dev.idem.remote;

import java.util.List;
import java.util.Map;

/**
 * What a server says when it is met.
 *
 * @param ledgerId belongs to the ledger behind it, and is sent with each request
 * @param rights what this program may do
 * @param capabilities what the ledger can
 */
record Hello(String ledgerId, List<?> rights, List<?> capabilities, int largestResult, int mostTickets) {
    static final int PROTOCOL = 1;

    static Hello of(Answer answer) {
        answer.expect("hello");
        Answer limits = new Answer(answer.of("limits", Map.class));
        return new Hello(
                answer.of("ledger_id", String.class),
                answer.list("rights"),
                answer.list("capabilities"),
                Math.toIntExact(limits.of("result_bytes", Long.class)),
                Math.toIntExact(limits.of("renew_tickets", Long.class)));
    }

    /** Whether this program may claim, run and settle. */
    boolean mayAct() {
        return rights.contains("act");
    }

    /** Whether this program may see entries with their results. */
    boolean mayRead() {
        return rights.contains("read") && rights.contains("payloads");
    }
}
