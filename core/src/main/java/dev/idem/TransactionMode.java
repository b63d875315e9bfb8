package dev.idem;

/**
 * How a call relates to the transaction of a framework that it is made in, such as a method with Spring's
 * {@code @Transactional}.
 */
public enum TransactionMode {
    /**
     * For actions that only write rows of the ledger's own database. The entry is part of the transaction: if it rolls
     * back, there is no entry, and the next call runs the action again.
     */
    JOIN,
    /**
     * For actions with an effect elsewhere, such as a charge or a mail. The entry is written apart from the transaction: if
     * that rolls back, the entry and the effect stay, and the next call gets the stored result.
     */
    INDEPENDENT
}
