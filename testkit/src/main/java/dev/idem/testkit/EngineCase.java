package dev.idem.testkit;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The base of the engine's hazards: processes that run Idem on one ledger, and a world that their actions change. */
public abstract class EngineCase extends LedgerCase {
    private static final QuietLog LOG = new QuietLog(Logger.getLogger("dev.idem"));

    /** The world that the actions change. */
    protected final World world = new World();

    private final List<Idem> opened = new ArrayList<>();

    @BeforeAll
    static void quietLog() {
        LOG.begin();
    }

    @AfterAll
    static void restoreLog() {
        LOG.end();
    }

    @AfterEach
    void closeAll() {
        opened.forEach(Idem::close);
    }

    /** Another process that runs Idem on the ledger under test. */
    protected final Idem idem() {
        return idem(ledger(), processes().startOwner());
    }

    /** A process of this owner with its own handle on the ledger. */
    protected final Idem idem(Ledger ledger, Owner owner) {
        return open(builder(ledger, owner));
    }

    /** The builder of a process. */
    protected final IdemBuilder builder(Ledger ledger, Owner owner) {
        return Idem.builder()
                .ledger(ledger)
                .owner(owner)
                .quiet()
                .purgeEvery(Duration.ZERO)
                // Long enough for a busy machine.
                .settleFor(Duration.ofSeconds(60))
                .closeWait(Duration.ZERO);
    }

    /** A process that soon gives up to tell an outcome to a ledger that does not answer. */
    protected final Idem impatient(Ledger ledger, Owner owner) {
        return open(builder(ledger, owner).settleFor(Duration.ofMillis(200)));
    }

    /** The builder of a process with a near cache and the ledger's clock. */
    protected final IdemBuilder cached(Ledger ledger, Duration maximumAge) {
        return builder(ledger, processes().startOwner())
                .nearCache(10, maximumAge)
                .wall(() -> clocks().now().wall().toEpochMilli());
    }

    /** Opens it; the case closes it at its end. */
    protected final Idem open(IdemBuilder builder) {
        Idem idem = builder.open();
        opened.add(idem);
        return idem;
    }

    /** The operation most cases are about, at {@link #KEY}. */
    protected static Operation<String> charge(Idem idem) {
        return operation(idem, KEY);
    }

    /** A call of the operation at an address. */
    protected static Operation<String> operation(Idem idem, Address address) {
        return idem.operation(address.operation())
                .scope(address.scope())
                .key(address.key())
                .policy(Policy.unset().lease(LEASE).timeLimit(LIMIT))
                .returning(String.class);
    }

    /** Changes the world for {@link #KEY} and returns the receipt. */
    protected final String act() {
        return world.act(KEY.key());
    }

    /** How often the world was changed for {@link #KEY}. */
    protected final int effects() {
        return world.effects(KEY.key());
    }
}
