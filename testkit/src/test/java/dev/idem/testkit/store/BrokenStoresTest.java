package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.KitRun;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit goes red on every broken store, by the very test that is there for it. */
final class BrokenStoresTest {
    private static final String STORE = "idem.testkit.store";

    record Case(Class<? extends MapStore> store, String test) {
        @Override
        public String toString() {
            return store.getSimpleName() + " is caught by " + test;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case(BrokenStores.LeaselessStore.class, "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new Case(BrokenStores.CountingVersionStore.class, "anInsertedRowIsReadAsItWasWritten"),
                new Case(BrokenStores.TransactionTimeStore.class, "aReplacedRowIsReadAsItWasWritten"),
                new Case(BrokenStores.LosingInsertStore.class, "oneOfManyInserts"),
                new Case(BrokenStores.UnreadAnswerStore.class, "anotherVersionIsNotReplaced"),
                new Case(BrokenStores.RevivingStore.class, "aRenewalRevivesNothing"),
                new Case(BrokenStores.OverwritingCountStore.class, "aReplaceLeavesTheCountOfReplays"),
                new Case(BrokenStores.FallingFenceStore.class, "fencesGrowWithEveryGrant"),
                new Case(BrokenStores.FallingFenceStore.class, "fencesGrowAfterARowWasDeleted"),
                new Case(BrokenStores.DeletingForgetStore.class, "aForgottenRowStaysAndKeepsItsFence"),
                new Case(BrokenStores.ExpiryIsDueStore.class, "everyWriteSetsAnewWhenItsRowIsDue"),
                new Case(BrokenStores.ScopelessCountStore.class, "aStoreCountsTheRowsOfTheQueryAlone"),
                new Case(BrokenStores.ExpiredCountStore.class, "aStoreCountsTheRowsOfTheQueryAlone"),
                new Case(BrokenStores.FirstPageStore.class, "pagesOfDueRowsGoOnBehindRowsThatStay"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isCaught(Case broken) {
        KitRun run =
                KitRun.of(selectClass(ChosenStore.class), STORE, broken.store().getName());
        assertThat(run.failed()).contains(broken.test());
    }

    @Test
    void theHealthyStoreIsNotBlamed() {
        KitRun run = KitRun.of(selectClass(ChosenStore.class), STORE, MapStore.class.getName());
        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).contains("oneOfManyInserts");
    }

    @Test
    void everyBrokenStoreHasACase() {
        assertThat(cases().map(broken -> (Object) broken.store()).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(BrokenStores.class.getDeclaredClasses()));
    }

    private static EntryStore open(Class<?> type, MapStore.Table table, Clocks clocks) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(MapStore.Table.class, Clocks.class);
            return (EntryStore) constructor.newInstance(table, clocks);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a broken store is made of a table and clocks", e);
        }
    }

    /** Sets the store that a launcher names. */
    static final class Chooser implements TestInstancePostProcessor {
        @Override
        public void postProcessTestInstance(Object instance, ExtensionContext context) throws Exception {
            if (instance instanceof ChosenStore kit) {
                kit.chosen =
                        Class.forName(context.getConfigurationParameter(STORE).orElseThrow());
            }
        }
    }

    /** The contract of stores on a chosen one; never run by itself. */
    @ExtendWith(Chooser.class)
    static class ChosenStore extends StoreContract {
        private Class<?> chosen;

        @Override
        protected EntryStore open(LedgerContext context) {
            return BrokenStoresTest.open(chosen, new MapStore.Table(), context.clocks());
        }
    }
}
