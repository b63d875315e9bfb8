package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.ConflictException;
import dev.idem.ExpiredException;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.NotExecutedException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.ResultUnavailableException;
import dev.idem.Reworded;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: hazards of failures, results, payloads and keys. */
abstract class CallHazards extends EngineCase {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Test
    void anExceptionDoesNotDeleteTheKeyTheEffectMayHaveHappened() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    act();
                    throw new IOException("response lost");
                }))
                .isInstanceOf(IOException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(InDoubtException.class));

        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anEventWhoseHandlerFailedIsNotLostButHandledWhenItIsDeliveredAgain() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    throw new NotExecutedException("not now");
                }))
                .isInstanceOf(NotExecutedException.class);

        charge(idem()).run(call -> act());
        assertThat(entry().attempt()).isEqualTo(2);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aKindOfExceptionThatWasDeclaredDefiniteLetsItRunAgain() {
        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.unset().definiteOn(IOException.class))
                        .run(call -> {
                            throw new IOException("connection refused");
                        }))
                .isInstanceOf(IOException.class);

        assertThat(charge(idem()).run(call -> act())).isEqualTo(KEY.key() + " #1");
    }

    @Test
    void aKeptFailureAnswersEveryDuplicate() {
        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.unset().keepFailures())
                        .run(call -> {
                            throw new NotExecutedException("card declined");
                        }))
                .isInstanceOf(NotExecutedException.class);

        assertThatThrownBy(() -> charge(idem()).run(call -> act()))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("card declined");
        assertThat(effects()).isZero();
    }

    @Test
    void sameKeyOtherPayloadIsAConflictWhileTheFirstIsInFlightAndAfterItIsComplete() {
        Idem idem = idem();
        charge(idem).content(Map.of("cents", 1)).run(call -> {
            assertThatThrownBy(() -> charge(idem()).content(Map.of("cents", 2)).run(other -> act()))
                    .isInstanceOf(ConflictException.class);
            return act();
        });

        assertThatThrownBy(() -> charge(idem).content(Map.of("cents", 2)).run(call -> act()))
                .isInstanceOf(ConflictException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void sameKeyOtherPayloadIsAConflictOnTheCachedPathToo() {
        Idem cached = open(cached(ledger(), Duration.ofMinutes(1)));
        charge(cached).content(Map.of("cents", 1)).run(call -> act());
        assertThat(charge(cached)
                        .content(Map.of("cents", 1))
                        .attempt(call -> act())
                        .message())
                .contains("near cache");

        assertThatThrownBy(() -> charge(cached).content(Map.of("cents", 2)).run(call -> act()))
                .isInstanceOf(ConflictException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aModelRewordsItsArgumentsTheFirstResultIsGivenWithAWarning() {
        charge(idem()).identity(Map.of("to", "a@b.c")).content("Dear Ann").run(call -> act());

        Outcome.Valued<String> reworded = (Outcome.Valued<String>) charge(idem())
                .identity(Map.of("to", "a@b.c"))
                .content("Hello Ann")
                .attempt(call -> act());

        assertThat(reworded.value()).isEqualTo(KEY.key() + " #1");
        assertThat(reworded.warnings()).extracting(Warning::code).containsExactly(Warning.Code.REWORDED);
        assertThatThrownBy(() -> charge(idem())
                        .identity(Map.of("to", "a@b.c"))
                        .content("Hi Ann")
                        .policy(Policy.unset().onReworded(Reworded.CONFLICT))
                        .run(call -> act()))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("content");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aModelRepeatsOnPurposeAnOccurrenceRunsAgain() {
        charge(idem()).run(call -> act());
        charge(idem()).occurrence(2).run(call -> act());
        charge(idem()).occurrence(2).run(call -> act());

        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void nestedOperationsEachIsSettledAsItselfAndKnowsItsParent() {
        Idem idem = idem();
        Address inner = new Address(KEY.scope(), "mail", "m");
        for (int i = 0; i < 2; i++) {
            assertThat(charge(idem)
                            .run(call -> "outer " + operation(idem, inner).run(mail -> act())))
                    .isEqualTo("outer " + KEY.key() + " #1");
        }

        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry(inner).state()).isEqualTo(State.COMPLETE);
        assertThat(entry(inner).parent()).isEqualTo(KEY);
        assertThat(entry().parent()).isNull();
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void nestedOperationsWhatAnInnerOneFailedWithProvesNothingAboutTheOuter() {
        Idem idem = idem();
        Address inner = new Address(KEY.scope(), "mail", "m");

        assertThatThrownBy(() -> charge(idem).run(call -> {
                    act();
                    return operation(idem, inner).run(mail -> {
                        throw new NotExecutedException("no mail today");
                    });
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(entry(inner).state()).isEqualTo(State.FAILED);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void nestedOperationsAnOuterOneThatIsSafeToRerunResumesAndTheFinishedStepsReplay() {
        Idem idem = idem();
        Address step = new Address(KEY.scope(), "step", "1");
        assertThatThrownBy(() -> charge(idem)
                        .policy(Policy.unset().rerunOnDoubt())
                        .run(call -> {
                            operation(idem, step).run(inner -> act());
                            throw new IOException("lost after the first step");
                        }))
                .isInstanceOf(IOException.class);

        assertThat(charge(idem)
                        .policy(Policy.unset().rerunOnDoubt())
                        .run(call -> operation(idem, step).run(inner -> act())))
                .isEqualTo(KEY.key() + " #1");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void twoThreadsWithTwoOperationsNobodyGetsAnothersResult() {
        Idem idem = idem();
        List<Callable<Boolean>> callers = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            String operation = "op" + thread % 2;
            int from = thread / 2 * 25;
            callers.add(() -> {
                for (int i = from; i < from + 25; i++) {
                    Address address = new Address("s", operation, "k" + i);
                    String value = operation(idem, address).run(call -> world.act(address.toString()));
                    if (!value.equals(address + " #1")) {
                        return false;
                    }
                }
                return true;
            });
        }

        assertThat(Race.between(callers)).doesNotContain(false);
        assertThat(world.effects()).isEqualTo(200);
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void nullEmptyAndFalseAsResultsReplayAsWhatTheyWere() {
        for (Object value : new Object[] {"", false, 0, List.of(), Map.of()}) {
            Address address = new Address(
                    "s", "give", "k" + value.hashCode() + value.getClass().getSimpleName());
            Class<?> type = value instanceof List ? List.class : value instanceof Map ? Map.class : value.getClass();
            for (int i = 0; i < 2; i++) {
                Object got = idem().operation("give")
                        .key(address.key())
                        .returning(type)
                        .attempt(call -> {
                            world.act(address.key());
                            return cast(value);
                        })
                        .value();
                assertThat(got).isEqualTo(value);
            }
            assertThat(world.effects(address.key())).isEqualTo(1);
        }
    }

    @Test
    void nullAndVoidAsResultsReplayAsWhatTheyWere() {
        for (int i = 0; i < 2; i++) {
            assertThat(idem().operation("null").key("k").returning(String.class).run(call -> {
                        world.act("null");
                        return giveNull();
                    }))
                    .isNull();
            idem().operation("void").key("k").perform(call -> act());
        }

        assertThat(world.effects()).isEqualTo(2);
    }

    @Test
    void aResultThatCannotBeSerialisedIsCompleteAndDuplicatesAreToldSo() {
        Outcome.Valued<Object> first = (Outcome.Valued<Object>) idem().operation(KEY.operation())
                .scope(KEY.scope())
                .key(KEY.key())
                .returning(Object.class)
                .attempt(call -> {
                    act();
                    return new Thread("no value");
                });

        assertThat(first.value()).isInstanceOf(Thread.class);
        assertThat(first.warnings()).extracting(Warning::code).containsExactly(Warning.Code.NOT_REPLAYABLE);
        assertThatThrownBy(() -> charge(idem()).run(call -> act()))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("could not be serialised")
                .hasMessageContaining("not run again");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aResultThatIsTooLargeIsCompleteAndDuplicatesAreToldSo() {
        Idem small = open(builder(ledger(), processes().startOwner()).largestResult(100));
        charge(small).run(call -> act() + "x".repeat(200));

        assertThatThrownBy(() -> charge(idem()).run(call -> act()))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("bytes");
        assertThat(effects()).isEqualTo(1);
    }

    /** The caller's size limit was above that of the ledger, and a completed effect ended in doubt. */
    @Test
    void aResultThatIsLargerThanTheLedgerTakesIsCompleteAndDuplicatesAreToldSo() {
        Ledger narrow = new ForwardingLedger(ledger()) {
            @Override
            public int largestResult() {
                return 100;
            }
        };
        Outcome.Valued<String> first = (Outcome.Valued<String>)
                charge(idem(narrow, processes().startOwner())).attempt(call -> act() + "x".repeat(200));

        assertThat(first.warnings()).extracting(Warning::code).containsExactly(Warning.Code.NOT_REPLAYABLE);
        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(ResultUnavailableException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aLongResultIsStoredCompressedAndReplaysAsItWas() {
        String long_ = "{\"name\":\"value\"}".repeat(5_000);

        charge(idem()).run(call -> long_);

        assertThat(charge(idem()).run(call -> act())).isEqualTo(long_);
    }

    @Test
    void expiryAndReuseTheKeyRunsAgainAfterItsRetentionUnlessATombstoneStands() {
        Duration keep = Duration.ofDays(1);
        charge(idem()).policy(Policy.unset().retention(keep)).run(call -> act());
        pass(keep);
        charge(idem())
                .policy(Policy.unset().retention(Retention.of(keep).withTombstone(keep)))
                .run(call -> act());
        assertThat(effects()).isEqualTo(2);

        pass(keep);

        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(ExpiredException.class);
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aKeyGuessedByAnotherTenantGivesAwayNothing() {
        charge(idem()).scope("tenant-a").run(call -> "secret");

        assertThat(charge(idem()).scope("tenant-b").run(call -> "own")).isEqualTo("own");
    }

    @Test
    void aDuplicateOfADestructiveOperationInFlightIsRefusedAtOnce() {
        Idem idem = idem();

        charge(idem).policy(Policy.destructive()).run(call -> {
            assertThatThrownBy(() -> charge(idem()).policy(Policy.destructive()).run(other -> act()))
                    .isInstanceOf(InFlightException.class);
            return act();
        });
        assertThat(effects()).isEqualTo(1);
    }

    /** The end of the retention overflowed after the action had run, and its value was lost. */
    @Test
    void aRetentionBeyondAnyCalendarIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() ->
                        charge(idem()).policy(Policy.unset().retention(FOREVER)).run(call -> act()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("century");
        assertThat(effects()).isZero();
    }

    @Test
    void aLeaseOrATimeLimitBeyondAnyClockIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() ->
                        charge(idem()).policy(Policy.unset().lease(FOREVER)).run(call -> act()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lease");
        assertThatThrownBy(() ->
                        charge(idem()).policy(Policy.unset().timeLimit(FOREVER)).run(call -> act()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("time limit");
        assertThat(effects()).isZero();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void aCallThatWouldWaitForEverRuns() {
        assertThat(charge(idem()).policy(Policy.unset().waitFor(FOREVER)).run(call -> act()))
                .isEqualTo(KEY.key() + " #1");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null on purpose
    private static <T> T giveNull() {
        return null;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the type was taken from the value
    private static <T> T cast(Object value) {
        return (T) value;
    }
}
