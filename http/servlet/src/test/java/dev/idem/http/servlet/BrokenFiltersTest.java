package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.HttpRules;
import dev.idem.http.servlet.broken.BoundaryFilter;
import dev.idem.http.servlet.broken.ConflictReplayingFilter;
import dev.idem.http.servlet.broken.EarlyHeadersFilter;
import dev.idem.http.servlet.broken.EmptyStreamFilter;
import dev.idem.http.servlet.broken.ForgetfulFilter;
import dev.idem.http.servlet.broken.HeaderWinsFilter;
import dev.idem.http.servlet.broken.KeyAloneFilter;
import dev.idem.http.servlet.broken.LeftHeadersFilter;
import dev.idem.http.servlet.broken.MultiplyingFilter;
import dev.idem.http.servlet.broken.OneTtlFilter;
import dev.idem.http.servlet.broken.OutageReplayingFilter;
import dev.idem.http.servlet.broken.PlainFilter;
import dev.idem.http.servlet.broken.SharedAnonymousFilter;
import dev.idem.http.servlet.broken.SpellingFilter;
import dev.idem.http.servlet.broken.TenantBlindFilter;
import dev.idem.http.suite.HttpCase;
import dev.idem.http.suite.HttpCases;
import dev.idem.http.suite.HttpSurface;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of rules goes red on every broken filter, by the very cases that are there for it, and by no others. */
class BrokenFiltersTest {
    /** Cases of settings that the plain filter does not have. */
    private static final Set<String> BEYOND = Set.of(
            "the form of JSON does not count, its values do",
            "the order of the fields of a form does not count",
            "a guarded request without its tenant is refused",
            "a body that may hold a key but is no JSON is refused",
            "a body that is too large to look for a key is refused",
            "a replay may say that the request was already processed",
            "a replay of status and result has its result and the new status",
            "a declared status frees the key",
            "statuses can be declared final and doubtful",
            "a response that declares that nothing happened frees the key",
            "a success whose transaction was rolled back leaves a doubt, and its client gets it",
            "a request that waits for approval frees the key");

    private static SharedTomcat tomcat;

    @BeforeAll
    static void start() throws Exception {
        tomcat = new SharedTomcat();
    }

    @AfterAll
    static void close() {
        tomcat.close();
    }

    record Broken(Class<? extends Filter> type, Function<HttpRules, Filter> filter, String... caughtBy) {
        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    static List<Broken> filters() {
        String[] doubts = Stream.of(408, "409 with Retry-After", "409 of another guard", 421, 423, 425, 429, 500, 503)
                .map(answer -> answer + " leaves a doubt, and its client gets it")
                .toArray(String[]::new);
        return List.of(
                new Broken(
                        OneTtlFilter.class,
                        OneTtlFilter::new,
                        with(
                                doubts,
                                "any other exception leaves a doubt",
                                "a doubt does not expire",
                                "a request that runs longer than the retention keeps its key")),
                new Broken(
                        ForgetfulFilter.class,
                        ForgetfulFilter::new,
                        "any other exception leaves a doubt",
                        "a doubt does not expire"),
                new Broken(
                        OutageReplayingFilter.class,
                        OutageReplayingFilter::new,
                        "500 leaves a doubt, and its client gets it",
                        "503 leaves a doubt, and its client gets it"),
                new Broken(
                        ConflictReplayingFilter.class,
                        ConflictReplayingFilter::new,
                        "409 with Retry-After leaves a doubt, and its client gets it",
                        "409 of another guard leaves a doubt, and its client gets it"),
                new Broken(
                        EmptyStreamFilter.class,
                        EmptyStreamFilter::new,
                        "a stream reaches its client and is not replayed"),
                new Broken(
                        SharedAnonymousFilter.class,
                        SharedAnonymousFilter::new,
                        "a guarded request without a caller is refused"),
                new Broken(TenantBlindFilter.class, TenantBlindFilter::new, "a tenant is part of the caller"),
                new Broken(HeaderWinsFilter.class, HeaderWinsFilter::new, "the keys of header and body have to agree"),
                new Broken(
                        KeyAloneFilter.class,
                        KeyAloneFilter::new,
                        "a key belongs to its route and method",
                        "a key that is used for another path or query is refused",
                        "PUT, PATCH and DELETE with a key are guarded"),
                new Broken(LeftHeadersFilter.class, LeftHeadersFilter::new, "a problem has no headers of the handler"),
                new Broken(SpellingFilter.class, SpellingFilter::new, "the spelling of a path does not count"),
                new Broken(
                        EarlyHeadersFilter.class,
                        EarlyHeadersFilter::new,
                        "a header that is set after the body is replayed"),
                new Broken(
                        MultiplyingFilter.class,
                        MultiplyingFilter::new,
                        "a header of several lines is replayed line by line"),
                new Broken(
                        BoundaryFilter.class, BoundaryFilter::new, "the boundary of a multipart body does not count"));
    }

    private static String[] with(String[] some, String... more) {
        return Stream.of(some, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("filters")
    void isCaught(Broken broken) {
        assertThat(red(broken.filter(), each -> !BEYOND.contains(each))).containsExactlyInAnyOrder(broken.caughtBy());
    }

    @Test
    void theHealthyFilterIsNotBlamed() {
        assertThat(red(PlainFilter::new, each -> true)).isEqualTo(new TreeSet<>(BEYOND));
    }

    @Test
    void theRightFilterIsNotBlamed() {
        Set<String> catching = new TreeSet<>();
        filters().forEach(broken -> catching.addAll(List.of(broken.caughtBy())));
        assertThat(red((rules, handler) -> ServletSurface.open(tomcat, rules, handler), catching::contains))
                .isEmpty();
    }

    @Test
    void everyBrokenFilterHasACase() throws IOException, URISyntaxException {
        Path folder = Path.of(PlainFilter.class.getResource("PlainFilter.class").toURI())
                .getParent();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith("Filter.class") && !name.equals("PlainFilter.class"))
                            .map(name -> name.replace(".class", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            filters().stream().map(Broken::toString).toList());
        }
    }

    private static Set<String> red(Function<HttpRules, Filter> filter, Predicate<String> chosen) {
        return red((rules, handler) -> ServletSurface.open(tomcat, filter.apply(rules), handler, () -> {}), chosen);
    }

    /** The cases that fail. */
    private static Set<String> red(HttpSurface.Opener opener, Predicate<String> chosen) {
        Set<String> red = new TreeSet<>();
        for (HttpCase each : HttpCases.all()) {
            if (chosen.test(each.name())) {
                try {
                    each.play(opener);
                } catch (AssertionError e) {
                    red.add(each.name());
                } catch (Exception e) {
                    throw new AssertionError(each.name(), e);
                }
            }
        }
        return red;
    }
}
