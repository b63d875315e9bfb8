package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.context.request.async.DeferredResult;

/** {@code @Once} on methods of beans. */
class OnceBeanTest {
    record Receipt(String id, long cents) {}

    record Order(String id, String customer, String note) {}

    /** Not a record: it has no JSON form. */
    static class Cart {
        final UUID id = UUID.fromString("8e03978e-40d5-43e8-bc93-6894a57f9324");

        public UUID getId() {
            return id;
        }
    }

    /** Its type is known only in the class of the bean. */
    static class Kept<T> {
        final AtomicInteger kept = new AtomicInteger();

        @Once
        List<T> kept(T one) {
            kept.incrementAndGet();
            return List.of(one);
        }
    }

    static class Shop extends Kept<Receipt> {
        final AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Receipt> pending = new CompletableFuture<>();

        @Once(key = "#order.id", retention = "30d")
        Receipt place(Order order) {
            return new Receipt(order.id() + " " + order.customer(), runs.incrementAndGet());
        }

        @Once
        public List<Receipt> charge(String customer, long cents) {
            return List.of(new Receipt(customer, runs.incrementAndGet()));
        }

        @Once(identity = "customer", labels = "customer")
        int mail(String customer, String text) {
            return runs.incrementAndGet();
        }

        @Once(key = "#p0.id")
        void check(Cart cart) {
            runs.incrementAndGet();
        }

        @Once
        void checkWithoutKey(Cart cart, int other) {
            runs.incrementAndGet();
        }

        @Once(identity = "id")
        String record(Order order) {
            return order.customer() + runs.incrementAndGet();
        }

        @Once
        String key(String id, Call call) {
            return call.key();
        }

        @Once
        String fails(String id, boolean definite) throws IOException {
            runs.incrementAndGet();
            if (definite) {
                throw new NotExecutedException("closed");
            }
            throw new IOException("lost");
        }

        @Once
        CompletableFuture<Receipt> later(String id) {
            runs.incrementAndGet();
            return pending;
        }

        @Once
        CompletableFuture<List<Receipt>> laterAll(String id) {
            return CompletableFuture.completedFuture(List.of(new Receipt(id, runs.incrementAndGet())));
        }

        @Once
        @SuppressWarnings("rawtypes")
        Map raw(String id) {
            return Map.of(id, runs.incrementAndGet());
        }

        @Once
        @SuppressWarnings("rawtypes")
        CompletableFuture<List<Map>> laterRaw(String id) {
            return CompletableFuture.completedFuture(List.of(Map.of(id, runs.incrementAndGet())));
        }

        @Async
        @Once
        CompletableFuture<String> asynchronous(String id) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName() + runs.incrementAndGet());
        }
    }

    /** The bean already has a proxy, which refuses some calls. */
    static class Vault {
        int opened;

        @Once
        int open(String caller) {
            return ++opened;
        }
    }

    @EnableAsync
    static class Beans {
        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        Shop otherShop() {
            return new Shop();
        }

        @Bean
        Vault vault() {
            ProxyFactory factory = new ProxyFactory(new Vault());
            factory.setProxyTargetClass(true);
            factory.addAdvice((MethodInterceptor) invocation -> {
                if ("mallory".equals(invocation.getArguments()[0])) {
                    throw new SecurityException("not for you");
                }
                return invocation.proceed();
            });
            return (Vault) factory.getProxy();
        }
    }

    private static AnnotationConfigApplicationContext context;
    private static Shop shop;
    private static Idem idem;

    private static AnnotationConfigApplicationContext start(Class<?>... types) {
        AnnotationConfigApplicationContext started = new AnnotationConfigApplicationContext();
        started.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("idem.ledger", "memory:")));
        started.register(IdemAutoConfiguration.class, IdemOnceAutoConfiguration.class);
        started.register(types);
        try {
            started.refresh();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    @BeforeAll
    static void start() {
        context = start(Beans.class);
        shop = context.getBean("shop", Shop.class);
        idem = context.getBean(Idem.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    /** The bean behind its proxy, whose fields are empty. */
    private static Shop target() {
        return (Shop) AopProxyUtils.getSingletonTarget(shop);
    }

    private static int runs() {
        return target().runs.get();
    }

    @Test
    void theKeyOfTheExpressionTellsCallsApart() {
        Receipt first = shop.place(new Order("o-1", "ann", ""));
        Receipt again = shop.place(new Order("o-1", "bob", "reworded"));

        assertThat(again).isEqualTo(first);
        assertThat(shop.place(new Order("o-2", "ann", ""))).isNotEqualTo(first);
        var entry = idem.find(new Address("default", "shop.place", "o-1")).orElseThrow();
        assertThat(Duration.between(entry.times().settled(), entry.times().expires()))
                .isEqualTo(Duration.ofDays(30));
    }

    @Test
    void withoutAKeyTheArgumentsAreTheKeyAndGenericResultsKeepTheirType() {
        int before = runs();
        List<Receipt> first = shop.charge("cus_1", 4200);

        assertThat(shop.charge("cus_1", 4200)).isEqualTo(first);
        assertThat(shop.charge("cus_1", 4200).get(0).id()).isEqualTo("cus_1");
        assertThat(runs()).isEqualTo(before + 1);
        shop.charge("cus_1", 4201);
        assertThat(runs()).isEqualTo(before + 2);
    }

    @Test
    void identityAndContentCountAsForTools() {
        assertThat(shop.mail("ann", "Hello")).isEqualTo(shop.mail("ann", "Hi"));
        assertThat(shop.mail("bob", "Hello")).isNotEqualTo(shop.mail("ann", "Hello"));
        assertThat(shop.record(new Order("r-1", "ann", ""))).isEqualTo(shop.record(new Order("r-1", "bob", "")));
    }

    @Test
    void twoBeansOfOneClassDoNotShareResults() {
        Shop other = context.getBean("otherShop", Shop.class);

        shop.charge("two shops", 1);
        other.charge("two shops", 1);

        assertThat(idem.operation("otherShop.charge")
                        .identity(Map.of("customer", "two shops", "cents", 1))
                        .find())
                .isPresent();
    }

    @Test
    void anArgumentWithoutAJsonFormNeedsAKey() {
        int before = runs();
        shop.check(new Cart());
        shop.check(new Cart());
        assertThat(runs()).isEqualTo(before + 1);

        assertThatThrownBy(() -> shop.checkWithoutKey(new Cart(), 1))
                .hasMessageContaining("Shop.checkWithoutKey")
                .hasMessageContaining("@Once(key = \"#order.id\")");
        assertThatThrownBy(() -> shop.place(new Order(null, "ann", ""))).hasMessageContaining("Shop.place is null");
        assertThat(runs()).isEqualTo(before + 1);
    }

    @Test
    void theMethodGetsItsCall() {
        assertThat(shop.key("call", null)).isNotBlank().isEqualTo(shop.key("call", null));
    }

    @Test
    void aFailureIsInDoubtUnlessNothingHappened() {
        int before = runs();
        assertThatThrownBy(() -> shop.fails("doubt", false)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> shop.fails("doubt", false)).isInstanceOf(InDoubtException.class);
        assertThat(runs()).isEqualTo(before + 1);

        assertThatThrownBy(() -> shop.fails("free", true)).isInstanceOf(NotExecutedException.class);
        assertThatThrownBy(() -> shop.fails("free", true)).isInstanceOf(NotExecutedException.class);
        assertThat(runs()).isEqualTo(before + 3);
    }

    @Test
    void aFutureSettlesTheEntryWhenItCompletes() {
        int before = runs();
        CompletableFuture<Receipt> first = shop.later("f-1");
        var later = idem.operation("shop.later").identity(Map.of("id", "f-1"));
        assertThat(first).isNotDone();
        assertThat(later.find().orElseThrow().state()).isEqualTo(State.IN_PROGRESS);

        target().pending.complete(new Receipt("f", 1));

        assertThat(first.join()).isEqualTo(new Receipt("f", 1));
        assertThat(later.find().orElseThrow().state()).isEqualTo(State.COMPLETE);
        assertThat(shop.later("f-1").join()).isEqualTo(new Receipt("f", 1));
        assertThat(runs()).isEqualTo(before + 1);
    }

    /** A duplicate could not read them: the variable of the future, or of the class above, was taken for the type. */
    @Test
    void resultsWhoseTypeIsAnArgumentOfAnotherTypeAreReplayed() {
        List<Receipt> first = shop.laterAll("all").join();
        assertThat(shop.laterAll("all").join()).isEqualTo(first);

        shop.kept(new Receipt("r", 1));
        assertThat(shop.kept(new Receipt("r", 1))).containsExactly(new Receipt("r", 1));
        assertThat(target().kept).hasValue(1);
    }

    /** A raw type names no variables, so there is nothing to refuse. */
    @Test
    void resultsOfRawTypesAreReplayed() {
        assertThat(shop.raw("r").toString()).isEqualTo(shop.raw("r").toString());
        assertThat(shop.laterRaw("r").join().toString())
                .isEqualTo(shop.laterRaw("r").join().toString());
    }

    @Test
    void anAsynchronousMethodRunsOnceInAnotherThread() {
        String first = shop.asynchronous("a-1").join();

        assertThat(first).doesNotStartWith(Thread.currentThread().getName());
        assertThat(shop.asynchronous("a-1").join()).isEqualTo(first);
    }

    @Test
    void aCallThatAnotherAdviceRefusesClaimsNoKey() {
        Vault vault = context.getBean(Vault.class);

        assertThatThrownBy(() -> vault.open("mallory")).isInstanceOf(SecurityException.class);
        assertThat(idem.operation("vault.open")
                        .identity(Map.of("caller", "mallory"))
                        .find())
                .isEmpty();
        assertThat(vault.open("ann")).isEqualTo(vault.open("ann"));
        assertThatThrownBy(() -> vault.open("mallory")).isInstanceOf(SecurityException.class);
    }

    @Test
    void aToolThatASessionGuardsIsNotGuardedTwice() {
        int before = runs();
        for (String session : List.of("monday", "tuesday")) {
            Session task = Session.of(idem, session, Toolbox.in(shop));
            task.call("charge", Map.of("customer", "cus_9", "cents", 1));
            task.call("charge", Map.of("customer", "cus_9", "cents", 1));
        }

        assertThat(runs()).isEqualTo(before + 2);
        assertThat(idem.operation("shop.charge")
                        .identity(Map.of("customer", "cus_9", "cents", 1))
                        .find())
                .isEmpty();
    }

    /** The tool may be run again, because the method that it calls runs once. */
    @Test
    void aToolThatCallsAGuardedMethodOfTheSameNameLeavesItsGuardOn() {
        Tool charge = Tool.named("charge").policy(Policy.idempotent()).run((call, in) -> shop.charge("cus_10", 1));
        int before = runs();

        Session.of(idem, "monday", charge).call("charge", Map.of());
        Session.of(idem, "tuesday", charge).call("charge", Map.of());

        assertThat(runs()).isEqualTo(before + 1);
    }

    @Test
    void aMethodWithAKeyRunsOnceForItInAllSessions() {
        int before = runs();
        for (String session : List.of("monday", "tuesday")) {
            Session.of(idem, session, Toolbox.in(shop))
                    .call("place", Map.of("id", "o-11", "customer", "ann", "note", ""));
        }
        assertThat(runs()).isEqualTo(before + 1);
    }

    // Methods that can't be guarded.

    static class FinalMethod {
        @Once
        final int act(int a) {
            return a;
        }
    }

    static final class FinalClass {
        @Once
        int act(int a) {
            return a;
        }
    }

    static class Baskets {
        @Once(key = "#order.id.value")
        public int place(Order order) {
            throw new AssertionError("ran");
        }

        @Once(key = "#order")
        public int wrongKey(Order order) {
            throw new AssertionError("ran");
        }

        @Once(key = "#id", identity = "cart")
        public int compare(String id, Cart cart) {
            throw new AssertionError("ran");
        }
    }

    @Test
    void aKeyThatCanNotBeComputedSaysWhichAndThatNothingRan() {
        try (var context = start(Baskets.class)) {
            Baskets baskets = context.getBean(Baskets.class);
            Order order = new Order("o-1", "ann", "");

            assertThatThrownBy(() -> baskets.place(order))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("the key of Baskets.place, '#order.id.value'", "Nothing ran");
            assertThatThrownBy(() -> baskets.wrongKey(order))
                    .hasMessageContainingAll("the key of Baskets.wrongKey is of the type Order", "Nothing ran");
            assertThatThrownBy(() -> baskets.compare("c-1", new Cart()))
                    .hasMessageContainingAll("identity", "no JSON form", "Nothing ran")
                    .hasMessageNotContaining("@Once(key");
        }
    }

    @SuppressWarnings("UnusedMethod") // what it is for is refused
    static class PrivateMethod {
        @Once
        private int act(int a) {
            return a;
        }
    }

    static class StaticMethod {
        @Once
        static int act(int a) {
            return a;
        }
    }

    static class Publishing {
        @Once
        Flow.Publisher<String> act(int a) {
            return null;
        }
    }

    static class Streaming {
        @Once
        Stream<String> act(int a) {
            return Stream.of();
        }
    }

    static class Reading {
        @Once
        InputStream act(int a) {
            return InputStream.nullInputStream();
        }
    }

    static class Futures {
        @Once
        Future<String> act(int a) {
            return null;
        }
    }

    static class Supplying {
        @Once
        Supplier<String> act(int a) {
            return () -> "";
        }
    }

    static class Deferring {
        @Once
        DeferredResult<String> act(int a) {
            return new DeferredResult<>();
        }
    }

    static class ManyFutures {
        @Once
        CompletableFuture<List<CompletableFuture<String>>> act(int a) {
            return new CompletableFuture<>();
        }
    }

    static class Forgetting {
        @Async
        @Once
        void act(int a) {}
    }

    static class NoParameters {
        @Once
        void act() {}
    }

    static class UnknownField {
        @Once(identity = "nothing")
        void act(int a) {}
    }

    static class UnknownFieldOfARecord {
        @Once(identity = {"id", "custmer"})
        void act(Order order) {}
    }

    static class UnknownLabelOfARecord {
        @Once(key = "#order.id", labels = "order")
        void act(Order order, Call call) {}
    }

    static class UnknownVariable {
        @Once(key = "#ordr.id")
        void act(Order order) {}
    }

    static class UnknownNumber {
        @Once(key = "#p0.id + #p1")
        void act(Order order) {}
    }

    static class NoExpression {
        @Once(key = "#a..b")
        void act(int a) {}
    }

    static class NoDuration {
        @Once(retention = "soon")
        void act(int a) {}
    }

    static class Unreadable {
        @Once
        Thread act(int a) {
            return null;
        }
    }

    static class Approved {
        @Once(approval = true)
        void act(int a) {}
    }

    static class SameName {
        @Once(name = "same")
        void act(int a) {}

        @Once(name = "same")
        void act(String a) {}
    }

    private static void refused(Class<?> bean, String... says) {
        assertThatThrownBy(() -> start(bean).close())
                .rootCause()
                .hasMessageContaining("@Once on " + bean.getSimpleName() + ".act can't be kept")
                .hasMessageContainingAll(says);
    }

    @Test
    void aMethodThatCanNotBeGuardedStopsTheStartWithASentence() {
        refused(FinalMethod.class, "the method is final", "Remove 'final'");
        refused(FinalClass.class, "the class is final", "Remove 'final'");
        refused(PrivateMethod.class, "the method is private", "public");
        refused(StaticMethod.class, "the method is static");
        refused(Publishing.class, "returns Publisher", "CompletableFuture");
        refused(Streaming.class, "returns Stream", "a List");
        refused(Reading.class, "returns InputStream", "a byte[]");
        refused(Futures.class, "returns Future", "CompletableFuture");
        refused(Supplying.class, "a Supplier can't be a result");
        refused(Deferring.class, "a DeferredResult can't be a result");
        refused(ManyFutures.class, "a CompletableFuture can't be a result");
        refused(Forgetting.class, "@Async and returns no future", "CompletableFuture<Void>");
        refused(NoParameters.class, "no parameters", "key =");
        refused(UnknownField.class, "no parameter 'nothing'");
        refused(UnknownFieldOfARecord.class, "record Order", "no field 'custmer'", "[id, customer, note]");
        refused(UnknownLabelOfARecord.class, "record Order", "no field 'order'", "[id, customer, note]");
        refused(UnknownVariable.class, "'#ordr.id': there is no parameter 'ordr'; they are [order]");
        refused(UnknownNumber.class, "there is no parameter 'p1'; they are [order]");
        refused(NoExpression.class, "its key is not an expression");
        refused(NoDuration.class, "soon");
        refused(Unreadable.class, "Thread");
        refused(Approved.class, "approval");
        refused(SameName.class, "'same'", "@Once(name = \"...\")");
    }
}
