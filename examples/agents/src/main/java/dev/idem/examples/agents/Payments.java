package dev.idem.examples.agents;

import java.io.IOException;

/** A payment service of others. It does what it is asked for once for each key. */
public interface Payments {
    /** Takes money, and gives the id of the charge. */
    String charge(String customer, long cents, String idempotencyKey) throws IOException;

    /** Gives the money of an order back, and gives the id of the refund. */
    String refund(String order, String idempotencyKey) throws IOException;
}
