package dev.idem.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.WebhookAnswer;
import dev.idem.http.webhook.WebhookEvent;
import dev.idem.http.webhook.WebhookRequest;
import dev.idem.spring.IdemProperties.Mode;
import dev.idem.spring.IdemProperties.Webhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Component;

/** {@code @WebhookHandler} in a real server; {@link Signer} makes the requests. */
class WebhookHandlerTest {
    private static final String[] PROPERTIES = {
        "idem.ledger=memory:",
        "management.endpoints.web.exposure.include=idem",
        "idem.webhooks.stripe.secrets=old-secret," + Signer.TEST_SECRET,
        "idem.webhooks.gitlab.secrets=" + Signer.TEST_SECRET,
        "idem.webhooks.twilio.secrets=" + Signer.TEST_SECRET,
        "idem.webhooks.twilio.public-url=https://shop.example/hooks/twilio",
        "idem.webhooks.mails.sender=sendgrid",
        "idem.webhooks.mails.path=/hooks/mails",
        "idem.webhooks.mails.secrets="
                + Signer.of(Sender.SENDGRID).endpointSecret().orElseThrow(),
        "idem.webhooks.slow.sender=github",
        "idem.webhooks.slow.secrets=" + Signer.TEST_SECRET,
        "idem.webhooks.slow.mode=record-first",
        "idem.webhooks.slow.poison-after=1",
        "idem.webhooks.internal.sender=github",
        "idem.webhooks.internal.secrets=" + Signer.TEST_SECRET,
        "idem.webhooks.internal.path=/internal/hook",
        "spring.autoconfigure.exclude="
    };

    private static App app;

    record Paid(String id, long cents) {}

    @EnableAutoConfiguration
    @Import({Payments.class, Books.class, Others.class})
    static class Hooks {
        /** The paths of tests that are not about Spring Security. */
        @Bean
        @Order(1)
        SecurityFilterChain others(HttpSecurity http) throws Exception {
            return http.securityMatcher("/hooks/**", "/actuator/**")
                    .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            String[] open = {"/webhooks/**"};
            return http.authorizeHttpRequests(all ->
                            all.requestMatchers(open).permitAll().anyRequest().authenticated())
                    .csrf(csrf -> csrf.ignoringRequestMatchers(open))
                    .build();
        }
    }

    @Component
    static class Payments {
        private final Books books;

        Payments(Books books) {
            this.books = books;
        }

        @WebhookHandler("stripe")
        void paid(Paid paid) {
            books.enter(paid);
        }
    }

    /** Fails twice for a negative amount. */
    @Component
    static class Books {
        final List<Paid> booked = new CopyOnWriteArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();

        void enter(Paid paid) {
            if (paid.cents() < 0 && failures.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            booked.add(paid);
        }
    }

    @Component
    static class Others {
        final LinkedBlockingQueue<Object> seen = new LinkedBlockingQueue<>();
        volatile boolean poisonous = true;

        @WebhookHandler("gitlab")
        void push(WebhookEvent event) {
            seen.add(event.id() + " " + event.type().orElse(""));
        }

        @WebhookHandler("twilio")
        WebhookAnswer message(String body) {
            seen.add(body);
            return WebhookAnswer.ok("text/xml", "<Response/>");
        }

        @WebhookHandler("mails")
        void mail(Map<String, Object> mail, Call call) {
            seen.add(mail.get("event") + " " + call.attempt());
        }

        @WebhookHandler("internal")
        void internal(String body) {}

        /** Runs in a thread of the endpoint. */
        @WebhookHandler("slow")
        public void slow(byte[] body, WebhookEvent event) {
            if (poisonous) {
                throw new IllegalStateException("poison, with a secret");
            }
            seen.add(event.id() + " " + body.length);
        }
    }

    @BeforeAll
    static void start() {
        app = App.start(new SpringApplication(Hooks.class), PROPERTIES);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Sent sent(String path, Signer signer, String body) {
        Sent sent = Sent.post(path).by("");
        for (Map.Entry<String, String> header :
                signer.sign(body.getBytes(UTF_8)).headers().entrySet()) {
            sent = header.getKey().equals("Content-Type")
                    ? sent.body(header.getValue(), body)
                    : sent.header(header.getKey(), header.getValue());
        }
        return sent;
    }

    private static Sent paid(String id, long cents) {
        return sent("/webhooks/stripe", Signer.of(Sender.STRIPE), "{\"id\":\"" + id + "\",\"cents\":" + cents + "}");
    }

    private static long booked(String id) {
        return app.bean(Books.class).booked.stream()
                .filter(paid -> paid.id().equals(id))
                .count();
    }

    private static Object next() throws InterruptedException {
        return app.bean(Others.class).seen.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void aMethodIsGivenTheTypedEventOnce() throws Exception {
        assertThat(app.send(paid("evt_1", 4200)).status()).isEqualTo(200);
        assertThat(app.send(paid("evt_1", 4200)).status()).isEqualTo(200);
        assertThat(app.bean(Books.class).booked).contains(new Paid("evt_1", 4200));
        assertThat(booked("evt_1")).isEqualTo(1);
    }

    @Test
    void fiftyDuplicatesAtOnceAreHandledOnceAndAllAccepted() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(50);
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(threads.submit(() -> {
                go.await();
                return app.send(paid("evt_50", 1)).status();
            }));
        }
        go.countDown();
        for (Future<Integer> each : all) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo(200);
        }
        threads.shutdown();
        assertThat(booked("evt_50")).isEqualTo(1);
    }

    @Test
    void anEventWhoseHandlerFailsComesAgain() throws Exception {
        assertThat(app.send(paid("evt_f", -1)).status()).isEqualTo(500);
        assertThat(app.send(paid("evt_f", -1)).status()).isEqualTo(500);
        assertThat(app.send(paid("evt_f", -1)).status()).isEqualTo(200);
        assertThat(app.send(paid("evt_f", -1)).status()).isEqualTo(200);
        assertThat(booked("evt_f")).isEqualTo(1);
    }

    @Test
    void aForgedRequestIsRefusedAndAnotherPathIsNotThere() throws Exception {
        Sent forged = sent("/webhooks/stripe", Signer.of(Sender.STRIPE, "other"), "{\"id\":\"x\",\"cents\":1}");
        assertThat(app.send(forged).status()).isEqualTo(401);
        assertThat(app.send(Sent.of("GET", "/webhooks/stripe")).status()).isEqualTo(405);
        assertThat(app.send(Sent.post("/webhooks/mails")).status()).isIn(403, 404);
        assertThat(booked("x")).isZero();
    }

    /** The filter took GitLab's header for the key of a caller, and refused it because the caller was not known. */
    @Test
    void theFilterForKeysLeavesWebhooksAlone() throws Exception {
        Received answer =
                app.send(sent("/webhooks/gitlab", Signer.of(Sender.GITLAB).id("d-1"), "{}"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(next()).isEqualTo("d-1 test");
    }

    @Test
    void aMethodMayAnswerAndThePublicUrlIsChecked() throws Exception {
        Signer signer = Signer.of(Sender.TWILIO).url("https://shop.example/hooks/twilio?a=b");
        for (int i = 0; i < 2; i++) {
            Received answer = app.send(sent("/webhooks/twilio?a=b", signer, "Body=hello&From=%2B1"));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("<Response/>");
            assertThat(answer.header("Content-Type")).startsWith("text/xml");
        }
        assertThat(next()).isEqualTo("Body=hello&From=%2B1");
        assertThat(app.send(sent("/webhooks/twilio?a=c", signer, "Body=hello")).status())
                .isEqualTo(401);
    }

    @Test
    void eachElementOfAnArrayIsAnEvent() throws Exception {
        String mails = "[{\"sg_event_id\":\"1\",\"event\":\"open\"},{\"sg_event_id\":\"2\",\"event\":\"click\"}]";
        assertThat(app.send(sent("/hooks/mails", Signer.of(Sender.SENDGRID), mails))
                        .status())
                .isEqualTo(200);
        assertThat(next()).isEqualTo("open 1");
        assertThat(next()).isEqualTo("click 1");
    }

    @Test
    void anEventThatWasGivenUpIsListedAndSentAgainByAPerson() throws Exception {
        Others others = app.bean(Others.class);
        assertThat(app.send(slow("bad")).status()).isEqualTo(200);
        String list = "";
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!list.contains("\"source\":\"slow\",\"key\":\"bad\"") && System.nanoTime() < until) {
            list = app.send(Sent.of("GET", "/actuator/idem")).text();
        }
        assertThat(list)
                .contains("\"source\":\"slow\",\"key\":\"bad\",\"attempts\":1")
                .doesNotContain("secret");
        assertThat(again("slow", "other").status()).isEqualTo(404);
        assertThat(app.send(Sent.post("/actuator/idem").json("{\"source\":\"slow\",\"key\":\"bad\"}"))
                        .text())
                .contains("again");
        others.poisonous = false;
        assertThat(again("slow", "bad").text()).contains("\"again\":true");
        assertThat(next()).isEqualTo("bad 2");
        assertThat(app.send(Sent.of("GET", "/actuator/idem")).text()).contains("\"poison\":[]");
    }

    private static Received again(String source, String key) throws Exception {
        return app.send(Sent.post("/actuator/idem")
                .json("{\"source\":\"" + source + "\",\"key\":\"" + key + "\",\"as\":\"again\"}"));
    }

    private static Sent slow(String id) {
        return sent("/webhooks/slow", Signer.of(Sender.GITHUB).id(id), "{}");
    }

    @Test
    void springSecurityLetsOnlyThosePassThatAreExempt() throws Exception {
        Received answer = app.send(sent("/internal/hook", Signer.of(Sender.GITHUB), "{}"));
        assertThat(answer.status()).isEqualTo(403);
    }

    /** A handler that runs in a thread of the endpoint, and sees whether its bean is destroyed meanwhile. */
    static class Ending implements DisposableBean {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        final CountDownLatch destroyed = new CountDownLatch(1);
        final AtomicReference<String> end = new AtomicReference<>("");
        private final Idem idem;

        Ending(Idem idem) {
            this.idem = idem;
        }

        @WebhookHandler("github")
        void push(WebhookEvent event) throws InterruptedException {
            entered.countDown();
            gate.await();
            boolean late = destroyed.await(200, TimeUnit.MILLISECONDS);
            String step = idem.operation("step")
                    .key(event.id())
                    .returning(String.class)
                    .run(call -> "done");
            end.set(step + (late ? ", after its bean was destroyed" : ""));
        }

        @Override
        public void destroy() {
            destroyed.countDown();
        }
    }

    /** Else the handler's own operations and the record of its end would meet a closed ledger. */
    @Test
    void atTheEndARunningHandlerEndsBeforeBeansAndLedgerAreClosed() throws Exception {
        Webhook settings = new Webhook(
                List.of(Signer.TEST_SECRET), null, null, Mode.RECORD_FIRST, null, null, Duration.ofMinutes(5));
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Idem.class, () -> Idem.open("memory:"));
        context.registerBean(Ending.class);
        context.registerBean(
                WebhookEndpoints.class,
                () -> new WebhookEndpoints(
                        context.getBean(Idem.class), Map.of("github", settings), context.getBeanFactory(), List::of));
        context.refresh();
        Ending ending = context.getBean(Ending.class);
        WebhookEndpoints endpoints = context.getBean(WebhookEndpoints.class);
        WebhookRequest push =
                Signer.of(Sender.GITHUB).sign("{}".getBytes(UTF_8)).request();

        assertThat(endpoints.find("github").receive(push).status()).isEqualTo(200);
        assertThat(ending.entered.await(60, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(context::close);
        closing.start();
        while (endpoints.isRunning()) {
            Thread.onSpinWait();
        }
        ending.gate.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(20));

        assertThat(ending.end).hasValue("done");
    }
}
