package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.TransactionMode;
import dev.idem.spi.AmbientTransactions.Ambient;
import dev.idem.spi.Ledger;
import dev.idem.spi.Transactional;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides how a call relates to the transaction of a framework around it. What is refused runs nothing. */
final class TransactionChoice {
    private final Ledger ledger;
    private final Address address;
    private final Policy policy;

    TransactionChoice(Ledger ledger, Address address, Policy policy) {
        this.ledger = ledger;
        this.address = address;
        this.policy = policy;
    }

    /** The transaction that the call joins; null for a call apart from any transaction. */
    @Nullable
    JoinedTransaction joined(@Nullable Ambient transaction, Runner<?> runner) {
        TransactionMode mode = policy.transaction();
        if (transaction == null) {
            if (mode == TransactionMode.JOIN) {
                throw refused("declares transaction JOIN, and this thread is in no transaction. Begin one around the"
                        + " call, for instance with @Transactional, or declare INDEPENDENT");
            }
            return null;
        } else if (mode == null) {
            throw refused("is called inside a transaction, and its policy does not say what a rollback means for it."
                    + " Declare transaction JOIN where the action only writes rows in this transaction: a rollback"
                    + " removes the entry with the rows. Declare transaction INDEPENDENT where it has another effect,"
                    + " such as a charge or a mail: a rollback leaves the entry and the effect. For a method write"
                    + " @Once(transaction = TransactionMode.JOIN), for an operation"
                    + " .policy(Policy.write().transaction(TransactionMode.JOIN))");
        } else if (mode == TransactionMode.INDEPENDENT) {
            requireUnblocked(transaction);
            return null;
        } else if (runner instanceof Runner.Starting) {
            throw refused("returns a stage, which may complete after the transaction has ended. Wait for it inside the"
                    + " action, or declare transaction INDEPENDENT");
        } else if (transaction.isReadOnly()) {
            throw refused("declares transaction JOIN inside a read-only transaction, which can't hold its entry."
                    + " Remove readOnly from the transaction");
        }
        return joined(transaction);
    }

    private JoinedTransaction joined(Ambient transaction) {
        Transactional<?> transactional = transactional();
        if (transactional == null) {
            throw refused("declares transaction JOIN, and ledger " + ledger.describe()
                    + " has no transactions. Use a ledger in the database of the transaction, or declare INDEPENDENT");
        }
        List<JoinedTransaction> fitting = new ArrayList<>(1);
        List<String> reasons = new ArrayList<>();
        for (Object connection : transaction.connections()) {
            try {
                JoinedTransaction joined = joined(transaction, transactional, connection);
                if (joined != null) {
                    fitting.add(joined);
                }
            } catch (IllegalArgumentException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0);
        } else if (!fitting.isEmpty()) {
            fitting.forEach(JoinedTransaction::close);
            throw refused("declares transaction JOIN, and this thread has " + fitting.size() + " connections to the"
                    + " database of the ledger, so that its entry and its rows could be in different transactions. Use"
                    + " one DataSource for that database inside the transaction");
        }
        throw refused("declares transaction JOIN, and its entry can't be written in this transaction: "
                + (reasons.isEmpty()
                        ? "it has no connection to the database of ledger " + ledger.describe()
                        : String.join("; ", reasons))
                + ". Open the ledger on the database of the transaction; in Spring Boot set idem.ledger=datasource");
    }

    private <C> @Nullable JoinedTransaction joined(
            Ambient transaction, Transactional<C> transactional, Object connection) {
        Class<C> type = transactional.connectionType();
        return type.isInstance(connection)
                ? new JoinedTransaction(
                        transaction, () -> transactional.within(type.cast(connection), policy.waitFor()))
                : null;
    }

    /** A ledger whose only writer is this transaction could not be written apart from it. */
    private void requireUnblocked(Ambient transaction) {
        Transactional<?> transactional = transactional();
        if (transactional != null && transactional.exclusive()) {
            for (Object connection : transaction.connections()) {
                if (isBlocked(transactional, connection)) {
                    throw refused("declares transaction INDEPENDENT, and the transaction around it has written to the"
                            + " database of the ledger, which takes one writer at a time. Make this call before the"
                            + " first write, or keep the ledger in another file");
                }
            }
        }
    }

    private static <C> boolean isBlocked(Transactional<C> transactional, Object connection) {
        Class<C> type = transactional.connectionType();
        return type.isInstance(connection) && transactional.isBlockedBy(type.cast(connection));
    }

    private @Nullable Transactional<?> transactional() {
        return (Transactional<?>) ledger.as(Transactional.class).orElse(null);
    }

    private IllegalStateException refused(String why) {
        return new IllegalStateException(address + " " + why + ". Nothing ran");
    }
}
