package dev.idem.testkit.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.KitRun;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.broken.PlainStore;
import java.lang.reflect.Constructor;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/** The kit on the ledger that a launcher names; run by {@link BrokenLedgersTest}, never by itself. */
@ExtendWith(KitOnChosenLedger.Chooser.class)
class KitOnChosenLedger extends LedgerContract {
    static final String LEDGER = "idem.testkit.ledger";

    private Constructor<? extends Ledger> chosen;

    /** Runs one part of the contract on a ledger. */
    static KitRun run(Class<? extends Ledger> ledger, Class<? extends LedgerCase> part) {
        return KitRun.of(selectNestedClass(List.of(KitOnChosenLedger.class), part), LEDGER, ledger.getName());
    }

    @Override
    protected LedgerFixture fixture() {
        PlainStore store = new PlainStore();
        return LedgerFixture.durable(context -> open(store, context));
    }

    private Ledger open(PlainStore store, LedgerContext context) {
        try {
            return chosen.newInstance(store, context);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a broken ledger is made of a store and a context", e);
        }
    }

    static final class Chooser implements TestInstancePostProcessor {
        @Override
        public void postProcessTestInstance(Object instance, ExtensionContext context) throws Exception {
            if (instance instanceof KitOnChosenLedger kit) {
                String name = context.getConfigurationParameter(LEDGER).orElseThrow();
                kit.chosen = Class.forName(name)
                        .asSubclass(Ledger.class)
                        .getConstructor(PlainStore.class, LedgerContext.class);
            }
        }
    }
}
