package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.RemoteKeys;
import dev.idem.Reworded;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.run.LogContext;
import dev.idem.agent.run.Run;
import dev.idem.agent.run.Runs;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Race;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The promises of a session, on any ledger. */
abstract class SessionContract extends SessionCase {
    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));

    @Test
    void aCallRunsOnceAndADuplicateGetsTheSameTextWithANoteBesideIt() {
        Session session = Session.of(idem, "order-1", charge);

        ToolAnswer first = session.call("charge", "{\"customer\":\"cus_1\",\"cents\":4200}");
        ToolAnswer second = session.call("charge", Map.of("cents", 4200, "customer", "cus_1"));

        assertThat(first.status()).isEqualTo(Status.RAN);
        assertThat(first.text()).isEqualTo("{\"id\":\"ch_1\",\"cents\":4200}");
        assertThat(first.value(Receipt.class)).isEqualTo(new Receipt("ch_1", 4200));
        assertThat(second.status()).isEqualTo(Status.REPLAYED);
        assertThat(second.text())
                .as("the text of a replay, which a program parses")
                .isEqualTo(first.text());
        assertThat(first.note()).isEmpty();
        assertThat(second.note().orElseThrow())
                .startsWith("Note: 'charge' had already run for this at ")
                .endsWith("This is the result of that run; nothing ran again.");
        assertThat(second.withNoteInText().text())
                .startsWith(first.text() + "\n\nNote: ")
                .endsWith("nothing ran again.");
        assertThat(second.value(Receipt.class)).isEqualTo(first.value(Receipt.class));
        assertThat(second.error()).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aResultThatIsDeclaredDoubtfulIsInDoubtAndNotReplayed() {
        Tool mail = Tool.named("mail").doubtIf("timed out"::equals).run((call, in) -> {
            runs.incrementAndGet();
            return in.text("to").equals("ann") ? "timed out" : "sent";
        });
        Session session = Session.of(idem, "order-1", mail);

        ToolAnswer first = session.call("mail", Map.of("to", "ann"));
        ToolAnswer second = session.call("mail", Map.of("to", "ann"));

        assertThat(first.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(second.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(session.call("mail", Map.of("to", "bob")).value()).isEqualTo("sent");
        assertThat(runs).hasValue(2);
    }

    @Test
    void theKeyIsMadeOfSessionToolAndIdentity() {
        Tool refund = Tool.named("refund").run((call, in) -> runs.incrementAndGet());
        Session one = Session.of(idem, "order-1", charge, refund);
        Session other = Session.of(idem, "order-2", charge, refund);
        Map<String, Object> arguments = Map.of("customer", "cus_1", "cents", 1);

        List<ToolAnswer> answers = List.of(
                one.call("charge", arguments),
                other.call("charge", arguments),
                one.call("refund", arguments),
                one.call("charge", Map.of("customer", "cus_2", "cents", 1)));

        assertThat(answers).extracting(ToolAnswer::status).containsOnly(Status.RAN);
        assertThat(answers.get(0).address().orElseThrow())
                .isEqualTo(idem.find(answers.get(0).address().orElseThrow())
                        .orElseThrow()
                        .address())
                .satisfies(address -> {
                    assertThat(address.scope()).isEqualTo("order-1");
                    assertThat(address.operation()).isEqualTo("charge");
                });
        assertThat(idem.operation("charge")
                        .scope("order-1")
                        .identity(arguments)
                        .attempt(call -> "not run")
                        .replayed())
                .isTrue();
    }

    @Test
    void aSessionThatIsOpenedAgainGoesOnWhereItWas() {
        Session.of(idem, "order-1", charge).call("charge", Map.of("customer", "cus_1", "cents", 4200));
        closeIdem();
        openIdem();

        Session again = Session.of(idem, "order-1", charge);
        ToolAnswer answer = again.call("charge", Map.of("customer", "cus_1", "cents", 4200));
        ToolAnswer next = again.call("charge", Map.of("customer", "cus_1", "cents", 1));

        assertThat(answer.status()).isEqualTo(Status.REPLAYED);
        assertThat(next.status()).isEqualTo(Status.RAN);
        assertThat(again.report().toString()).isEqualTo("2 calls, 1 ran, 1 replayed, 0 duplicates prevented");
    }

    @Test
    void rewordedContentGetsTheFirstResultWithAWarning() {
        Session session = Session.of(idem, "order-1", charge);
        session.call("charge", Map.of("customer", "cus_1", "cents", 1, "note", "thanks"));

        ToolAnswer answer = session.call("charge", Map.of("customer", "cus_1", "cents", 1, "note", "many thanks"));

        assertThat(answer.status()).isEqualTo(Status.REPLAYED);
        assertThat(answer.warnings()).extracting(Warning::code).containsExactly(Warning.Code.REWORDED);
        assertThat(answer.note().orElseThrow()).contains("worded differently");
    }

    @Test
    void rewordedContentIsAConflictWhereTheToolSaysSo() {
        Session session = Session.of(
                idem, "order-1", charge.with(tool -> tool.policy(Policy.unset().onReworded(Reworded.CONFLICT))));
        session.call("charge", Map.of("customer", "cus_1", "cents", 1, "note", "thanks"));

        ToolAnswer answer = session.call("charge", Map.of("customer", "cus_1", "cents", 1, "note", "many thanks"));

        assertThat(answer.status()).isEqualTo(Status.CONFLICT);
        assertThat(answer.error()).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDeliberateRepeatRunsAgainAndIsSeen() {
        Session session = Session.of(idem, "order-1", charge);
        Map<String, Object> arguments = Map.of("customer", "cus_1", "cents", 1);
        session.call("charge", arguments);

        ToolAnswer second = session.call(ToolCall.of("charge", arguments).occurrence(2));
        ToolAnswer secondAgain = session.call(ToolCall.of("charge", arguments).occurrence(2));
        ToolAnswer fresh = session.call(ToolCall.of("charge", arguments).key("invoice-7"));

        assertThat(second.status()).isEqualTo(Status.RAN);
        assertThat(secondAgain.status()).isEqualTo(Status.REPLAYED);
        assertThat(fresh.status()).isEqualTo(Status.RAN);
        assertThat(fresh.address().orElseThrow().key()).isEqualTo("invoice-7");
        assertThat(keys).hasSize(3).doesNotHaveDuplicates();
        assertThat(second.address().orElseThrow().key()).isEqualTo(keys.get(1));
        assertThat(session.report().toString())
                .isEqualTo("4 calls, 3 ran, 1 replayed, 2 deliberate repeats, 1 duplicate prevented");
    }

    record Amount(long cents) {}

    @Test
    void badArgumentsClaimNothingAndRunNothing() {
        Tool pay = Tool.named("pay").input(Amount.class).run((call, in) -> runs.incrementAndGet());
        Session session = Session.of(idem, "order-1", pay, charge);

        ToolAnswer mismatch = session.call("pay", "{\"cents\":\"one\"}");
        ToolAnswer nan = session.call("charge", Map.of("cents", Double.NaN));

        ToolAnswer nanAsText = session.call("charge", "{\"cents\":NaN}");
        ToolAnswer noObject = session.call("charge", "[4200]");

        assertThat(List.of(mismatch, nan, nanAsText, noObject))
                .extracting(ToolAnswer::status)
                .containsOnly(Status.BAD_ARGUMENTS);
        assertThat(mismatch.text()).contains("field 'cents': expected an integer, got the string \"one\"");
        assertThat(runs).hasValue(0);
        assertThat(entries()).isZero();
        assertThat(session.report().toString())
                .isEqualTo("4 calls, 0 ran, 0 replayed, 4 refused, 0 duplicates prevented");
    }

    @Test
    void anUntaggedToolThatTimesOutIsInDoubtAndDoesNotRunAgain() {
        Tool pay = Tool.named("pay").run((call, in) -> {
            runs.incrementAndGet();
            throw new SocketTimeoutException("lost");
        });
        Session session = Session.of(idem, "order-1", pay);

        ToolAnswer own = session.call("pay", "{}");
        ToolAnswer later = session.call("pay", "{}");

        assertThat(own.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(own.text()).contains("socket timeout: lost").contains("Do not call it again");
        assertThat(later.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(later.text()).contains(own.address().orElseThrow().key());
        assertThat(runs).hasValue(1);
        assertThat(session.report().toString())
                .isEqualTo("2 calls, 1 ran, 0 replayed, 1 refused, 1 duplicate prevented");
    }

    @Test
    void afterADefiniteFailureItRunsAgain() {
        Tool pay = Tool.named("pay").run((call, in) -> {
            if (runs.incrementAndGet() == 1) {
                throw new NotExecutedException("declined");
            }
            return "paid";
        });
        Session session = Session.of(idem, "order-1", pay.with(tool -> tool.retry(Retry.none())));

        ToolAnswer failed = session.call("pay", "{}");

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(failed.text()).contains("declined").contains("It had no effect");
        assertThat(session.call("pay", "{}").status()).isEqualTo(Status.RAN);
    }

    @Test
    void aDoubtIsSettledByAProbeOrByTheRemoteThatKnowsTheKey() {
        Tool lost = Tool.named("pay").run((call, in) -> {
            keys.add(call.key());
            if (runs.incrementAndGet() == 1) {
                throw new SocketTimeoutException("lost");
            }
            return "paid again";
        });
        Tool base = lost.with(tool -> tool.retry(Retry.none()));
        Tool probed = base.with(tool -> tool.policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                .probe((doubted, in) -> Verdict.happened("found " + in.get("order"))));
        Tool known = base.with(tool -> tool.policy(Policy.unset().passesKeyTo(STRIPE)));
        Session probing = Session.of(idem, "order-1", probed);
        Session passing = Session.of(idem, "order-2", known);
        probing.call("pay", "{\"order\":7}");
        runs.set(0);
        passing.call("pay", "{\"order\":7}");

        ToolAnswer found = probing.call("pay", "{\"order\":7}");
        assertThat(found.status()).isEqualTo(Status.REPLAYED);
        assertThat(found.value()).isEqualTo("found 7");
        assertThat(passing.call("pay", "{\"order\":7}").text()).isEqualTo("paid again");
        assertThat(keys.get(1)).isEqualTo(keys.get(2));
    }

    @Test
    void aResultThatCannotBeKeptIsToldAsExactlyThat() {
        Tool odd = Tool.named("odd").run((call, in) -> {
            runs.incrementAndGet();
            return new Thread("not serialisable");
        });
        Session session = Session.of(idem, "order-1", odd);

        ToolAnswer own = session.call("odd", "{}");
        ToolAnswer later = session.call("odd", "{}");

        assertThat(own.status()).isEqualTo(Status.RAN);
        assertThat(own.warnings()).extracting(Warning::code).containsExactly(Warning.Code.NOT_REPLAYABLE);
        assertThat(later.status()).isEqualTo(Status.DONE_WITHOUT_RESULT);
        assertThat(later.error()).isFalse();
        assertThat(later.text()).contains("has already run").contains("its result is not known here");
        assertThat(runs).hasValue(1);
        assertThat(idem.find(own.address().orElseThrow()).orElseThrow().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void aResultThatIsTooLargeIsToldAsExactlyThat() {
        try (Idem small =
                Idem.builder().ledger(ledger).largestResult(100).quiet().open()) {
            Tool large = Tool.named("large").run((call, in) -> {
                runs.incrementAndGet();
                return "x".repeat(101);
            });
            Session session = Session.of(small, "order-1", large);

            assertThat(session.call("large", "{}").text()).hasSize(101);
            assertThat(session.call("large", "{}").status()).isEqualTo(Status.DONE_WITHOUT_RESULT);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void aReadRunsWithEveryCallAndIsNotClaimed() {
        Tool lookup = Tool.named("lookup").policy(Policy.read()).run((call, in) -> runs.incrementAndGet());
        Session session = Session.of(idem, "order-1", lookup);

        session.call("lookup", "{}");
        ToolAnswer second = session.call("lookup", "{}");

        assertThat(second.status()).isEqualTo(Status.RAN);
        assertThat(runs).hasValue(2);
        assertThat(entries()).isZero();
        assertThat(session.report().toString()).isEqualTo("2 calls, 2 ran, 0 replayed, 0 duplicates prevented");
    }

    @Test
    void duplicatesAtTheSameTimeRunOnce() {
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(charge)
                .withoutLoopGuard()
                .open();

        List<ToolAnswer> answers = Race.of(8, () -> session.call("charge", "{\"customer\":\"cus_1\",\"cents\":4200}"));

        assertThat(answers)
                .extracting(answer -> answer.value(Receipt.class).id())
                .containsOnly("ch_1");
        assertThat(answers).filteredOn(answer -> answer.status() == Status.RAN).hasSize(1);
        assertThat(session.report().toString()).isEqualTo("8 calls, 1 ran, 7 replayed, 7 duplicates prevented");
    }

    @Test
    void whatAToolThrowsAsAnErrorIsThrownOn() {
        Tool broken = Tool.named("broken").run((call, in) -> {
            throw new StackOverflowError();
        });
        Session session = Session.of(idem, "order-1", broken);

        assertThatThrownBy(() -> session.call("broken", "{}")).isInstanceOf(StackOverflowError.class);
        assertThat(session.call("broken", "{}").status()).isEqualTo(Status.IN_DOUBT);
    }

    @Test
    void labelsArePutOnTheEntry() {
        ToolAnswer answer = Session.of(idem, "order-1", charge).call("charge", Map.of("customer", "cus_1", "cents", 1));

        assertThat(idem.find(answer.address().orElseThrow()).orElseThrow().labels())
                .containsEntry("customer", "cus_1");
    }

    @Test
    void entriesCarryTheRunOfTheirSessionInWhicheverThread() throws Exception {
        Run run = runs().start().child();
        List<Optional<Run>> seen = new CopyOnWriteArrayList<>();
        Tool mail = Tool.named("mail").labels("to").run((call, in) -> {
            seen.add(Run.current());
            return "sent";
        });
        Session session =
                Session.builder(idem).id("order-1").tools(mail).run(run).open();

        CompletableFuture.runAsync(() -> {
                    session.call("mail", Map.of("to", "ann"));
                    seen.add(Run.current());
                })
                .get();

        assertThat(seen).containsExactly(Optional.of(run), Optional.empty());
        Query ofRun = Query.all().withLabels(Map.of("run", run.id().value()));
        List<Entry> found =
                ledger.as(Browsable.class).orElseThrow().browse(ofRun).entries();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).labels())
                .containsEntry("to", "ann")
                .containsEntry("run.parent", run.parent().orElseThrow().value());
    }

    @Test
    void theRunOfTheThreadComesFirstAndTheOneThatDidItIsOnTheEntry() {
        Run first = runs().start();
        Run second = first.child();
        Tool mail = Tool.named("mail").run((call, in) -> {
            if (runs.incrementAndGet() == 1) {
                throw new NotExecutedException("busy");
            }
            return "sent";
        });
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(mail)
                .withoutLoopGuard()
                .retry(Retry.none())
                .run(first)
                .open();
        String arguments = "{\"to\":\"ann\"}";

        ToolAnswer failed = session.call("mail", arguments);
        second.run(() -> session.call("mail", arguments));
        ToolAnswer replayed = session.call("mail", arguments);

        assertThat(failed.status()).isEqualTo(Status.FAILED);
        assertThat(replayed.status()).isEqualTo(Status.REPLAYED);
        assertThat(idem.find(replayed.address().orElseThrow()).orElseThrow().labels())
                .containsEntry("run", second.id().value())
                .containsEntry("run.parent", first.id().value());
    }

    @Test
    void withoutARunEntriesCarryNone() {
        Session session = Session.of(idem, "order-1", charge);

        ToolAnswer answer = session.call("charge", Map.of("customer", "cus_1", "cents", 4200));

        assertThat(idem.find(answer.address().orElseThrow()).orElseThrow().labels())
                .doesNotContainKey("run");
    }

    private static Runs runs() {
        return Runs.standard().log(LogContext.none());
    }
}
