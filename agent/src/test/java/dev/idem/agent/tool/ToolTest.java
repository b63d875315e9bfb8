package dev.idem.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Call;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ToolTest {
    record Charge(String customer, long cents, Optional<String> note) {}

    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));

    private final Tool charge = Tool.named("charge")
            .input(Charge.class)
            .identity("customer", "cents")
            .run((call, in) -> in.cents());

    /** The error was "duplicate element: a", without the tool and without the setting. */
    @Test
    void aNameThatIsGivenTwiceIsGivenOnce() {
        ToolBuilder<Charge> builder = Tool.named("charge").input(Charge.class);

        assertThat(builder.makesStale("a", "a").run((call, in) -> "").makesStale())
                .containsExactly("a");
        assertThatCode(() -> builder.identity("customer", "customer")
                        .content("note", "note")
                        .ignore("at", "at")
                        .tags(Tag.NETWORK, Tag.NETWORK))
                .doesNotThrowAnyException();
        assertThatCode(() -> LoopGuard.standard().mayRepeat("poll", "poll")).doesNotThrowAnyException();
        assertThatCode(() -> Query.all().withStates(State.FAILED, State.FAILED)).doesNotThrowAnyException();
    }

    @Test
    void untaggedIsAWriteAndMayNotBeRetried() {
        assertThat(charge.sideEffect()).isEqualTo(SideEffect.WRITE);
        assertThat(charge.tagged()).isFalse();
        assertThat(charge.retrySafe()).isFalse();
        assertThat(charge.parallelSafe()).isFalse();
    }

    @Test
    void destructiveWinsOverEveryOtherTag() {
        Tool both = charge.with(tool ->
                tool.policy(Policy.destructive()).policy(Policy.idempotent().passesKeyTo(STRIPE)));

        assertThat(both.destructive()).isTrue();
        assertThat(both.retrySafe()).isFalse();
    }

    @Test
    void aRemoteThatKnowsTheKeyMakesAWriteSafeToRetry() {
        assertThat(charge.with(tool -> tool.policy(Policy.unset().passesKeyTo(STRIPE)))
                        .retrySafe())
                .isTrue();
        assertThat(charge.with(tool -> tool.policy(Policy.idempotent())).retrySafe())
                .isTrue();
    }

    @Test
    void anIdentityOfFieldsThatDoNotExistIsRefused() {
        Tool nameless = Tool.named("charge")
                .schema("{\"type\":\"object\",\"properties\":{\"arg0\":{},\"arg1\":{}}}")
                .identity("customer")
                .run((call, in) -> "charged");

        assertThatThrownBy(nameless::requireValid)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tool 'charge' has no argument 'customer'")
                .hasMessageContaining("arg0, arg1")
                .hasMessageContaining("-parameters");
        assertThatThrownBy(() -> nameless.vet(Map.of("arg0", "cus_1", "arg1", 4200)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> charge.with(tool -> tool.ignore("sent_at")).requireValid())
                .hasMessageContaining("'sent_at'");
    }

    @Test
    void aCallThatNothingTellsFromAnotherIsNotMade() {
        Tool send = Tool.named("send").identity("to", "subject").run((call, in) -> "sent");

        assertThat(send.vet(Map.of("body", "hello")))
                .isInstanceOfSatisfying(
                        Vetting.Unfit.class,
                        unfit -> assertThat(unfit.forModel()).contains("give at least one of subject, to"));
        assertThat(fits(send.vet(Map.of("to", "ann"))).identity()).isEqualTo(Map.of("to", "ann"));
        assertThat(fits(send.with(tool -> tool.policy(Policy.read())).vet(Map.of("body", "hello"))))
                .isNotNull();
    }

    @Test
    void whatIsNotIdentityIsContentAndWhatIsIgnoredIsNeither() {
        Tool tool =
                Tool.named("send").identity("to", "subject").ignore("sent_at").run((call, in) -> "sent");

        Vetted vetted = fits(tool.vet(Map.of("to", "ann", "subject", "hi", "body", "hello", "sent_at", 1)));

        assertThat(vetted.identity()).isEqualTo(Map.of("to", "ann", "subject", "hi"));
        assertThat(vetted.content()).isEqualTo(Map.of("body", "hello"));
        assertThat(vetted.arguments()).containsKey("sent_at");
    }

    @Test
    void withContentNamedTheRestIsIdentity() {
        Tool tool = Tool.named("send").content("body").run((call, in) -> "sent");

        Vetted vetted = fits(tool.vet("{\"to\":\"ann\",\"body\":\"hello\"}"));

        assertThat(vetted.identity()).isEqualTo(Map.of("to", "ann"));
        assertThat(vetted.content()).isEqualTo(Map.of("body", "hello"));
    }

    @Test
    void aFieldHasOneRole() {
        assertThatThrownBy(() -> Tool.named("send").identity("to").ignore("to"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'to'");
    }

    @Test
    void aFieldThatIsAbsentAndOneThatIsNullAreTheSameToARecord() {
        Vetted absent = fits(charge.vet("{\"customer\":\"cus_1\",\"cents\":4200}"));
        Vetted isNull = fits(charge.vet("{\"cents\":4200,\"customer\":\"cus_1\",\"note\":null}"));

        assertThat(isNull.arguments()).isEqualTo(absent.arguments());
    }

    @Test
    void argumentsThatDoNotFitAreToldWithFieldExpectedGotAndAnExample() {
        String told = unfit(charge.vet("{\"customer\":\"cus_1\",\"cents\":\"4200\",\"when\":1}"));

        assertThat(told)
                .contains("'charge' was not called")
                .contains("field 'cents': expected an integer, got the string \"4200\"")
                .contains("field 'when': expected no such field; there are customer, cents, note")
                .contains("{\"customer\":\"<customer>\",\"cents\":1}");
        assertThat(unfit(charge.vet("{\"cents\":1}"))).contains("field 'customer': expected a string, got nothing");
    }

    @Test
    void argumentsWithoutAJsonFormDoNotFit() {
        Tool any = Tool.named("any").run((call, in) -> "");

        assertThat(unfit(any.vet(Map.of("x", Double.NaN)))).contains("NaN");
        assertThat(unfit(any.vet("{\"x\":NaN}"))).contains("not one JSON object");
        assertThat(unfit(any.vet("[1]"))).contains("not one JSON object");
        assertThat(unfit(any.vet("{\"x\":1,\"x\":2}"))).contains("not one JSON object");
        assertThat(fits(any.vet(" ")).arguments()).isEmpty();
    }

    static class Shop {
        @Once(SideEffect.READ)
        String lookup(String customer) {
            return "found " + customer;
        }

        @Once(
                value = {SideEffect.IDEMPOTENT, SideEffect.DESTRUCTIVE},
                name = "drop_table",
                description = "Drops a table",
                tags = Tag.EXTERNAL,
                labels = "table",
                approval = true)
        String drop(Call call, @Field(value = "table", description = "its name") String which) {
            return which + " " + call.attempt();
        }

        @Once(identity = "customer", passesKeyTo = "Stripe")
        long charge(Charge charge) {
            return charge.cents();
        }

        String notATool() {
            return "";
        }
    }

    @Test
    void annotatedMethodsAreTools() {
        Toolbox tools = Toolbox.in(new Shop());

        assertThat(tools.names()).containsExactly("charge", "drop_table", "lookup");
        Tool drop = tools.find("drop_table").orElseThrow();
        assertThat(drop.destructive()).isTrue();
        assertThat(drop.needsApproval()).isTrue();
        assertThat(drop.description()).isEqualTo("Drops a table");
        assertThat(drop.tags()).containsExactly(Tag.EXTERNAL);
        assertThat(drop.schema().orElseThrow().text())
                .isEqualTo("{\"type\":\"object\",\"properties\":{\"table\":{\"type\":\"string\",\"description\":"
                        + "\"its name\"}},\"required\":[\"table\"],\"additionalProperties\":false}");
        assertThat(drop.labels(fits(drop.vet(Map.of("table", "users"))))).isEqualTo(Map.of("table", "users"));
        Tool charging = tools.find("charge").orElseThrow();
        assertThat(charging.remote().orElseThrow()).isEqualTo(STRIPE);
        assertThat(fits(charging.vet("{\"customer\":\"cus_1\",\"cents\":1}")).identity())
                .isEqualTo(Map.of("customer", "cus_1"));
    }

    static class Secrets {
        @Once(value = SideEffect.READ, approval = true)
        String secret() {
            return "hunter2";
        }
    }

    @Test
    void aReadThatNeedsAnApprovalInOneDeclarationIsRefused() {
        assertThatThrownBy(() -> Toolbox.in(new Secrets()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@Once of tool 'secret'")
                .hasMessageContaining("remove the approval");
        Tool layered = Tool.named("look")
                .policy(Policy.unset().approval())
                .policy(Policy.read())
                .build();
        assertThat(layered.sideEffect()).isEqualTo(SideEffect.READ);
        assertThat(layered.needsApproval()).isTrue();
    }

    @Test
    void onlyAReadIsCachedAndOnlyWhereItsRetentionIsSet() {
        Policy fiveMinutes = Policy.unset().retention(Duration.ofMinutes(5));

        assertThat(charge.with(tool -> tool.policy(fiveMinutes)).cachedFor()).isEmpty();
        assertThat(Tool.named("lookup").policy(Policy.read()).build().cachedFor())
                .isEmpty();
        assertThat(Tool.named("lookup")
                        .policy(fiveMinutes)
                        .policy(Policy.read())
                        .build()
                        .cachedFor())
                .contains(Duration.ofMinutes(5));
    }

    @Test
    void aCacheThatWouldKeepNothingOrTooLongIsRefused() {
        assertThatThrownBy(() -> Tool.named("lookup")
                        .policy(Policy.read())
                        .sharedIn("catalogue")
                        .run((call, in) -> ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy(Policy.read().retention(...))");
        assertThatThrownBy(() -> Tool.named("lookup")
                        .policy(Policy.read().retention(Duration.ofDays(8)))
                        .run((call, in) -> ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 7 days");
    }

    static class Presuming {
        @Once(passesKeyTo = "our bank")
        String charge(String customer) {
            return customer;
        }
    }

    static class Keyless {
        @Once(passesKeyTo = "SendGrid 24h")
        String mail(String to) {
            return to;
        }
    }

    static class Catalogue {
        @Once(value = SideEffect.READ, retention = "5m", sharedIn = "catalogue")
        String price(String item) {
            return item;
        }
    }

    @Test
    void howLongARemoteRemembersIsNeverPresumed() {
        assertThatThrownBy(() -> Toolbox.in(new Presuming()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'charge'")
                .hasMessageContaining("for instance 'our bank 24h'");
        assertThatThrownBy(() -> Toolbox.in(new Keyless()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can't pass its key to SendGrid");
        assertThat(Toolbox.in(new Catalogue()).find("price").orElseThrow().sharedIn())
                .contains("catalogue");
    }

    static class Impatient {
        @Once(timeLimit = "soon")
        String charge(String customer) {
            return customer;
        }
    }

    static class Hurried {
        @Once(timeLimit = "20s", retention = "P1D", definiteOn = java.net.ConnectException.class)
        String charge(String customer) {
            return customer;
        }
    }

    @Test
    void theMembersOfTheAnnotationAreReadByTheParserOfPolicies() {
        Policy policy = Toolbox.in(new Hurried()).find("charge").orElseThrow().policy();

        assertThat(policy.timeLimit()).isEqualTo(Duration.ofSeconds(20));
        assertThat(policy.retention().keep()).isEqualTo(Duration.ofDays(1));
        assertThat(policy.classifier().judge(new java.net.ConnectException()))
                .isEqualTo(dev.idem.Classifier.Judgement.DEFINITE);
        assertThatThrownBy(() -> Toolbox.in(new Impatient()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@Once of tool 'charge': time_limit: 'soon' is no duration");
    }

    @Test
    void anObjectWithoutToolsAndTwoToolsOfOneNameAreErrors() {
        assertThatThrownBy(() -> Toolbox.in("text")).hasMessageContaining("@Once");
        assertThatThrownBy(() -> Toolbox.of(charge, charge)).hasMessageContaining("'charge'");
    }

    private static Vetted fits(Vetting vetting) {
        assertThat(vetting).isInstanceOf(Vetting.Fits.class);
        return ((Vetting.Fits) vetting).vetted();
    }

    private static String unfit(Vetting vetting) {
        assertThat(vetting).isInstanceOf(Vetting.Unfit.class);
        return ((Vetting.Unfit) vetting).forModel();
    }
}
