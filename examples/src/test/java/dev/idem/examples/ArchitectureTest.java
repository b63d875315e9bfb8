package dev.idem.examples;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.Operation;
import dev.idem.RequestStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Arrows point one way: surfaces → core ← ledgers, and inside core from what users call down to the entries. Each rule
 * is also shown to go red, on a class in a {@code planted} package that breaks it.
 */
class ArchitectureTest {
    /** Every package of core, with the packages of core it may use. */
    private static final Map<String, List<String>> CORE = new TreeMap<>(Map.ofEntries(
            entry("dev.idem.internal.json", List.of("dev.idem")),
            entry("dev.idem.internal.key", List.of("dev.idem", "dev.idem.internal.json")),
            entry("dev.idem.internal.codec", List.of("dev.idem", "dev.idem.internal.json", "dev.idem.spi")),
            entry("dev.idem.internal.ledger", List.of("dev.idem", "dev.idem.spi")),
            entry("dev.idem.internal.sql", List.of("dev.idem", "java.sql")),
            entry("dev.idem.internal.wire", List.of("dev.idem.internal.ledger", "dev.idem.spi")),
            entry("dev.idem.spi", List.of("dev.idem")),
            entry("dev.idem.spi.browse", List.of("dev.idem", "dev.idem.spi")),
            entry("dev.idem.internal.rules", List.of("dev.idem", "dev.idem.spi")),
            entry(
                    "dev.idem.internal.store",
                    List.of(
                            "dev.idem",
                            "dev.idem.internal.json",
                            "dev.idem.internal.ledger",
                            "dev.idem.internal.rules",
                            "dev.idem.spi..",
                            "dev.idem.spi.browse")),
            entry(
                    "dev.idem.spi.store",
                    List.of(
                            "dev.idem",
                            "dev.idem.internal.rules",
                            "dev.idem.internal.store",
                            "dev.idem.spi..",
                            "dev.idem.spi.browse")),
            entry("dev.idem.seal", List.of("dev.idem", "dev.idem.spi", "dev.idem.spi.browse", "javax.crypto..")),
            entry("dev.idem.internal.runtime", List.of("dev.idem.spi")),
            entry("dev.idem.internal.wait", List.of("dev.idem")),
            entry(
                    "dev.idem.internal.call",
                    List.of(
                            "dev.idem",
                            "dev.idem.internal.codec",
                            "dev.idem.internal.key",
                            "dev.idem.internal.runtime",
                            "dev.idem.internal.wait",
                            "dev.idem.seal",
                            "dev.idem.spi..",
                            "dev.idem.spi.browse"))));

    /** The packages of core that work without the engine. */
    private static final String BELOW_THE_ENGINE = "dev.idem.(spi.browse|spi.store|spi|seal|internal.codec"
            + "|internal.json|internal.key|internal.ledger|internal.rules|internal.sql|internal.store"
            + "|internal.wire)..";

    private static final String[] LEDGERS = {
        "dev.idem.jsonl..", "dev.idem.postgresql..", "dev.idem.redis..", "dev.idem.remote..", "dev.idem.sqlite.."
    };

    private static final DescribedPredicate<JavaClass> ENGINE = resideInAPackage("dev.idem.internal.call")
            .or(belongToAnyOf(Idem.class, IdemBuilder.class, Operation.class, RequestStore.class));

    /** The parts of the agent layer that work alone: they know core, and nothing of each other. */
    private static final List<String> AGENT_PARTS = List.of(
            "dev.idem.agent.approval",
            "dev.idem.agent.batch",
            "dev.idem.agent.cache",
            "dev.idem.agent.coalesce",
            "dev.idem.agent.ensure",
            "dev.idem.agent.formula",
            "dev.idem.agent.guard",
            "dev.idem.agent.inbox",
            "dev.idem.agent.provider",
            "dev.idem.agent.retry",
            "dev.idem.agent.run",
            "dev.idem.agent.shadow");

    /** The packages of the other modules. */
    private static final List<String> OUTSIDE = List.of(
            "dev.idem.agent",
            "dev.idem.anthropic",
            "dev.idem.cli",
            "dev.idem.clikit",
            "dev.idem.command",
            "dev.idem.mcp",
            "dev.idem.mcpsdk",
            "dev.idem.examples",
            "dev.idem.http",
            "dev.idem.jackson",
            "dev.idem.jsonl",
            "dev.idem.lab",
            "dev.idem.langchain4j",
            "dev.idem.micrometer",
            "dev.idem.openai",
            "dev.idem.postgresql",
            "dev.idem.redis",
            "dev.idem.remote",
            "dev.idem.server",
            "dev.idem.spring",
            "dev.idem.springai",
            "dev.idem.sqlite",
            "dev.idem.testkit");

    /** The packages that bring Idem to a framework or a client. */
    private static final List<String> ADAPTERS = List.of(
            "dev.idem.anthropic",
            "dev.idem.jackson",
            "dev.idem.langchain4j",
            "dev.idem.mcpsdk",
            "dev.idem.micrometer",
            "dev.idem.openai",
            "dev.idem.spring",
            "dev.idem.springai");

    /** The packages of the platform that core may use: no HTTP, no logging framework, no foreign annotations. */
    private static final String[] PLATFORM = {
        "java.io..",
        "java.lang..",
        "java.math..",
        "java.net",
        "java.nio..",
        "java.security..",
        "java.time..",
        "java.util..",
        "org.jspecify.annotations"
    };

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/planted/")
                    && !location.contains("/target/lib/")
                    // What the build puts beside all tests.
                    && !location.contains("/build/tests/"))
            .importPackages("dev.idem");

    private static final JavaClasses PLANTED = new ClassFileImporter()
            .withImportOption(location -> location.contains("/planted/"))
            .importPackages("dev.idem");

    static List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(classes()
                .should(useOnlyExportedInternals())
                .as("modules use only internals that core exports to them"));
        CORE.forEach((name, below) -> rules.add(usesOnly(name, below)));
        AGENT_PARTS.forEach(name -> rules.add(agentPart(name)));
        rules.add(noClasses()
                .that()
                .resideOutsideOfPackages(concat(core(), "dev.idem.server"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.idem.internal.call", "dev.idem.internal.runtime")
                .as("only core and the server use the engine's internals"));
        rules.add(classes()
                .that()
                .resideInAnyPackage("dev.idem.server", "dev.idem.server.planted")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        concat(PLATFORM, core()),
                        "dev.idem.agent.approval",
                        "dev.idem.agent.formula",
                        "dev.idem.agent.inbox",
                        "dev.idem.agent.provider",
                        "dev.idem.agent.tool",
                        "dev.idem.server.."))
                .as("the methods of the server use core and the agent layer, and no carrier"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.server.console..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(PLATFORM, "dev.idem.server.console.."))
                .as("the files of the console use the platform alone"));
        rules.add(noClasses()
                .that()
                .resideInAnyPackage(concat(LEDGERS, BELOW_THE_ENGINE))
                .should()
                .dependOnClassesThat(ENGINE)
                .as("rows, rules, keys, JSON and the ledgers work without the engine"));
        rules.add(classes()
                .that()
                .resideInAnyPackage("dev.idem.jsonl..", "dev.idem.sqlite..", "dev.idem.postgresql..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        PLATFORM,
                        "dev.idem",
                        "dev.idem.internal.codec",
                        "dev.idem.internal.json",
                        "dev.idem.internal.ledger",
                        "dev.idem.jsonl..",
                        "dev.idem.spi..",
                        "dev.idem.internal.sql..",
                        "dev.idem.sqlite..",
                        "dev.idem.postgresql..",
                        "com.zaxxer.hikari",
                        "java.sql",
                        "java.sql",
                        "javax.sql",
                        "org.postgresql..",
                        "org.sqlite.."))
                .as("ledgers use the seam of core, and their driver"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.redis..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        PLATFORM,
                        "dev.idem",
                        "dev.idem.internal.ledger",
                        "dev.idem.redis..",
                        "dev.idem.spi..",
                        "org.apache.commons.pool2..",
                        "redis.clients.jedis.."))
                .as("the Redis ledger uses the seam of core, and its driver"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.remote..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        PLATFORM,
                        "dev.idem",
                        "dev.idem.internal.ledger",
                        "dev.idem.internal.wire",
                        "dev.idem.remote..",
                        "dev.idem.spi..",
                        "java.net.http",
                        "javax.net.ssl"))
                .as("the remote ledger uses the seam of core, and the JDK"));
        rules.add(noClasses()
                .that()
                .resideInAPackage("dev.idem.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.idem.jsonl..",
                        "dev.idem.sqlite..",
                        "dev.idem.cli..",
                        "dev.idem.postgresql..",
                        "dev.idem.redis..",
                        "dev.idem.remote..")
                .as("the testkit knows no ledger but what it is given"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.clikit..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        concat(concat(PLATFORM, core()), "dev.idem.clikit..", "dev.idem.command", "picocli"))
                .as("the command-line kit uses core, the command room and picocli"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.command..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(concat(PLATFORM, core()), "dev.idem.command..", "sun.misc"))
                .as("the command room uses core alone"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.http..")
                .and()
                .resideOutsideOfPackages("dev.idem.http.client..", "dev.idem.http.servlet..", "dev.idem.http.webhook..")
                .should()
                .onlyDependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                                concat(concat(PLATFORM, core()), "dev.idem.http.."))
                        .and(resideOutsideOfPackages(
                                "dev.idem.http.client..", "dev.idem.http.servlet..", "dev.idem.http.webhook..")))
                .as("the rules of HTTP use core alone, and no server"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.http.servlet..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(PLATFORM, "dev.idem", "dev.idem.http..", "jakarta.servlet.."))
                .as("the filter uses the rules of HTTP and servlets"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.mcp..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        concat(PLATFORM, core()),
                        "com.sun.net.httpserver",
                        "dev.idem.agent.provider",
                        "dev.idem.agent.retry",
                        "dev.idem.agent.session",
                        "dev.idem.agent.tool",
                        "dev.idem.agent.vet",
                        "dev.idem.http",
                        "dev.idem.mcp..",
                        "java.net.http..",
                        "javax.net.ssl",
                        "org.snakeyaml.engine.."))
                .as("the guard of MCP servers uses core, sessions, tools and their schemas, and no SDK"));
        rules.add(room("dev.idem.mcp..", "dev.idem.mcp.guard"));
        rules.add(room("dev.idem.mcp..", "dev.idem.mcp.stdio", "dev.idem.mcp.guard"));
        rules.add(room("dev.idem.mcp..", "dev.idem.mcp.http", "dev.idem.mcp.guard"));
        rules.add(room("dev.idem.jsonl..", "dev.idem.jsonl.disk"));
        rules.add(room("dev.idem.jsonl..", "dev.idem.jsonl.line", "dev.idem.jsonl.disk"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.http.client..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        PLATFORM,
                        "dev.idem",
                        "dev.idem.agent.provider",
                        "dev.idem.agent.retry",
                        "dev.idem.http",
                        "dev.idem.http.client..",
                        "java.net.http..",
                        "javax.net.ssl..",
                        "org.springframework.http.."))
                .as("clients use providers, retries and the rules of HTTP"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.http.webhook..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        PLATFORM,
                        "com.sun.net.httpserver",
                        "dev.idem",
                        "dev.idem.agent.inbox",
                        "dev.idem.http.webhook..",
                        "dev.idem.spi..",
                        "jakarta.servlet..",
                        "javax.crypto.."))
                .as("webhooks use core, the inbox and servers, and no other part of the agent layer"));
        rules.add(classes()
                .that()
                .resideInAPackage("dev.idem.spring.tx..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        concat(PLATFORM, core()),
                        "dev.idem.spring.tx..",
                        "java.sql",
                        "javax.sql",
                        "org.springframework.."))
                .as("transactions of Spring use core and Spring"));
        rules.add(
                classes()
                        .that()
                        .resideInAPackage("dev.idem.spring..")
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage(concat(
                                concat(PLATFORM, core()),
                                "dev.idem.agent..",
                                "dev.idem.http..",
                                "dev.idem.micrometer..",
                                "dev.idem.server",
                                "dev.idem.server.console",
                                "dev.idem.server.notice",
                                "dev.idem.spring..",
                                "dev.idem.springai..",
                                "io.micrometer..",
                                "jakarta.servlet..",
                                "java.sql",
                                "javax.sql",
                                "org.aopalliance..",
                                "org.springframework.."))
                        .as(
                                "the starter uses core, tools, the rules of HTTP, the filter, the adapters, the server without a carrier and Spring"));
        rules.add(surface("dev.idem.cli"));
        for (String adapter : ADAPTERS) {
            rules.add(surface(adapter));
        }
        rules.add(noClasses()
                .that()
                .resideInAnyPackage(ADAPTERS.stream().map(name -> name + "..").toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.idem.jsonl..",
                        "dev.idem.sqlite..",
                        "dev.idem.postgresql..",
                        "dev.idem.redis..",
                        "dev.idem.remote..",
                        "dev.idem.testkit..")
                .as("adapters know no ledger"));
        return rules;
    }

    /** On the class path everything is visible, so neither the compiler nor most tests see a missing export. */
    private static ArchCondition<JavaClass> useOnlyExportedInternals() {
        Set<String> modules = PublishedModules.names();
        Map<String, Set<String>> exports = PublishedModules.exportsOfCore();
        return new ArchCondition<>("use only internals of core that are exported to their module") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String module = PublishedModules.of(type.getPackageName(), modules);
                if (module == null || module.equals("dev.idem.core")) {
                    return;
                }
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    String target = dependency.getTargetClass().getPackageName();
                    if (CORE.containsKey(target)
                            && !exports.getOrDefault(target, Set.of()).contains(module)
                            && !exports.getOrDefault(target, Set.of()).contains("*")) {
                        events.add(SimpleConditionEvent.violated(
                                dependency, module + " needs an export of core: " + dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** An arrow from a room back up to one above it would close a cycle. */
    private static ArchRule noCycleAmongClassesOf(String name) {
        return slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        JavaClass file = type;
                        while (file.getEnclosingClass().isPresent()) {
                            file = file.getEnclosingClass().get();
                        }
                        return type.getPackageName().equals(name)
                                ? SliceIdentifier.of(file.getSimpleName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "classes of " + name;
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    private static ArchRule surface(String name) {
        return noClasses()
                .that()
                // The starter sets adapters up.
                .resideOutsideOfPackages(name + "..", "dev.idem.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(name + "..")
                .as("nobody uses " + name + " as a library");
    }

    private static ArchRule agentPart(String name) {
        return classes()
                .that()
                .resideInAPackage(name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(
                        concat(PLATFORM, core()),
                        name + "..",
                        "dev.idem.agent.internal..",
                        "javax.net.ssl",
                        "com.github.benmanes.caffeine.cache"))
                .as(name + " uses core, and no other part of the agent layer");
    }

    private static ArchRule room(String module, String name, String... below) {
        return noClasses()
                .that()
                .resideInAPackage(name + "..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(module).and(resideOutsideOfPackages(concat(below, name, name + ".planted"))))
                .as(name + " uses of its module only " + (below.length == 0 ? "itself" : String.join(", ", below)));
    }

    private static ArchRule usesOnly(String name, List<String> below) {
        String[] allowed = concat(PLATFORM, below.toArray(String[]::new));
        return classes()
                .that()
                .resideInAnyPackage(name, name + ".planted")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(concat(allowed, name, name + ".planted"))
                .as(name + " uses only " + (below.isEmpty() ? "the platform" : String.join(", ", below)));
    }

    @TestFactory
    Stream<DynamicTest> arrowsPointOneWay() {
        return rules().stream().map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(ALL)));
    }

    @Test
    void packagesOfCoreFormNoCycle() {
        slices().matching(BELOW_THE_ENGINE).should().beFreeOfCycles().check(ALL);
    }

    @Test
    void aCallWalksTheEngineDownward() {
        noCycleAmongClassesOf("dev.idem.internal.call").check(ALL);
    }

    @Test
    void modulesFormNoCycle() {
        slices().matching("dev.idem.(*)..").should().beFreeOfCycles().check(ALL.that(resideOutsideOfPackages(core())));
    }

    @Test
    void packagesOfTheAgentLayerFormNoCycle() {
        slices().matching("dev.idem.agent.(*)..").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void packagesOfTheTestkitFormNoCycle() {
        slices().matching("dev.idem.(**)")
                .should()
                .beFreeOfCycles()
                .check(ALL.that(resideInAPackage("dev.idem.testkit..")));
    }

    @Test
    void packagesOfTheCommandLineFormNoCycle() {
        slices().matching("dev.idem.(**)")
                .should()
                .beFreeOfCycles()
                .check(ALL.that(resideInAPackage("dev.idem.cli..")));
    }

    /** They also use the annotations and interfaces that authors of commands see, and none of them the kit itself. */
    @Test
    void roomsOfTheCommandLineKitFormNoCycle() {
        slices().matching("dev.idem.clikit.(*)..").should().beFreeOfCycles().check(ALL);
        noClasses()
                .that()
                .resideInAPackage("dev.idem.clikit.*")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("dev.idem.clikit.Kit(Builder)?")
                .check(ALL);
    }

    @Test
    void everyPackageHasItsRule() {
        List<String> unruled = ALL.stream()
                .map(type -> type.getPackageName())
                .filter(name -> !name.equals("dev.idem") && !CORE.containsKey(name))
                .filter(name -> OUTSIDE.stream().noneMatch(outside -> (name + ".").startsWith(outside + ".")))
                .distinct()
                .toList();

        assertThat(unruled).isEmpty();
    }

    @Test
    void everyPublishedModuleHasAName() {
        assertThat(PublishedModules.unnamed()).isEmpty();
    }

    @Test
    void everyModuleIsLookedAt() {
        assertThat(ALL.stream().map(type -> type.getPackageName()))
                .contains("dev.idem", "dev.idem.internal.call", "dev.idem.testkit")
                .contains(
                        "dev.idem.jsonl",
                        "dev.idem.jsonl.disk",
                        "dev.idem.jsonl.line",
                        "dev.idem.postgresql",
                        "dev.idem.redis",
                        "dev.idem.remote",
                        "dev.idem.sqlite")
                .contains(
                        "dev.idem.cli",
                        "dev.idem.clikit",
                        "dev.idem.command",
                        "dev.idem.command.score",
                        "dev.idem.examples",
                        "dev.idem.http",
                        "dev.idem.http.client",
                        "dev.idem.http.servlet",
                        "dev.idem.http.webhook",
                        "dev.idem.mcp",
                        "dev.idem.mcp.guard",
                        "dev.idem.mcp.http",
                        "dev.idem.mcp.stdio",
                        "dev.idem.server",
                        "dev.idem.server.console",
                        "dev.idem.server.http")
                .containsAll(AGENT_PARTS)
                .containsAll(ADAPTERS);
    }

    @Test
    void aPlantedImportIsCaught() {
        Map<String, String> caught = new TreeMap<>();
        for (ArchRule rule : rules()) {
            EvaluationResult result = rule.allowEmptyShould(true).evaluate(PLANTED);
            result.getFailureReport()
                    .getDetails()
                    .forEach(detail -> caught.merge(rule.getDescription(), detail, (one, more) -> one + "\n" + more));
        }

        assertThat(caught.get("modules use only internals that core exports to them"))
                .contains("dev.idem.mcpsdk needs an export of core")
                .contains("dev.idem.internal.key.Identity");
        assertThat(caught.get("dev.idem.internal.json uses only dev.idem")).contains("dev.idem.internal.codec.Codecs");
        assertThat(caught.get("dev.idem.spi uses only dev.idem")).contains("java.sql.Connection");
        assertThat(caught.get("dev.idem.agent.retry uses core, and no other part of the agent layer"))
                .contains("dev.idem.agent.guard.Limits");
        assertThat(caught.get("only core and the server use the engine's internals"))
                .contains("dev.idem.internal.call.Plan");
        assertThat(caught.get("rows, rules, keys, JSON and the ledgers work without the engine"))
                .contains("dev.idem.Idem");
        assertThat(caught.get("the testkit knows no ledger but what it is given"))
                .contains("dev.idem.sqlite.SqliteLedgerProvider");
        assertThat(caught.get("the command-line kit uses core, the command room and picocli"))
                .contains("dev.idem.sqlite.SqliteLedgerProvider");
        assertThat(caught.get("the methods of the server use core and the agent layer, and no carrier"))
                .contains("dev.idem.sqlite.SqliteLedgerProvider");
        assertThat(caught.get("the files of the console use the platform alone"))
                .contains("dev.idem.server.Api");
        assertThat(caught.get("the guard of MCP servers uses core, sessions, tools and their schemas, and no SDK"))
                .contains("dev.idem.agent.batch.Batch");
        assertThat(caught.get("dev.idem.mcp.guard uses of its module only itself"))
                .contains("dev.idem.mcp.stdio.Lines");
        assertThat(caught.get("dev.idem.mcp.stdio uses of its module only dev.idem.mcp.guard"))
                .contains("dev.idem.mcp.http.SseEvents");
        assertThat(caught.get("dev.idem.mcp.http uses of its module only dev.idem.mcp.guard"))
                .contains("dev.idem.mcp.McpOptions");
        assertThat(caught.get("dev.idem.jsonl.disk uses of its module only itself"))
                .contains("dev.idem.jsonl.line.LineBuffer");
        assertThat(caught.get("dev.idem.jsonl.line uses of its module only dev.idem.jsonl.disk"))
                .contains("dev.idem.jsonl.JsonlLedgerProvider");
        assertThat(caught.get("the rules of HTTP use core alone, and no server"))
                .contains("com.sun.net.httpserver.HttpHandler");
        assertThat(caught.get("clients use providers, retries and the rules of HTTP"))
                .contains("dev.idem.spi.Ledger");
        assertThat(caught.get("the filter uses the rules of HTTP and servlets")).contains("dev.idem.spi.Ledger");
        assertThat(caught.get("webhooks use core, the inbox and servers, and no other part of the agent layer"))
                .contains("dev.idem.agent.batch.Batch");
        assertThat(
                        caught.get(
                                "the starter uses core, tools, the rules of HTTP, the filter, the adapters, the server without a carrier and Spring"))
                .contains("dev.idem.sqlite.SqliteLedgerProvider");
        assertThat(caught.get("adapters know no ledger")).contains("dev.idem.sqlite.SqliteLedgerProvider");
        assertThat(caught.get("dev.idem.agent.batch uses core, and no other part of the agent layer"))
                .contains("dev.idem.agent.inbox.Inbox");
        assertThat(surface("dev.idem.examples.planted.surface")
                        .evaluate(PLANTED)
                        .hasViolation())
                .isTrue();
        assertThat(noCycleAmongClassesOf("dev.idem.internal.call.planted")
                        .evaluate(PLANTED)
                        .hasViolation())
                .isTrue();
        assertThat(slices().matching(BELOW_THE_ENGINE)
                        .should()
                        .beFreeOfCycles()
                        .evaluate(new ClassFileImporter()
                                .importPackages("dev.idem.internal.codec", "dev.idem.internal.json"))
                        .hasViolation())
                .isTrue();
    }

    private static String[] core() {
        List<String> names = new ArrayList<>(List.of("dev.idem"));
        CORE.keySet().forEach(name -> names.add(name + ".."));
        return names.toArray(String[]::new);
    }

    private static String[] concat(String[] some, String... more) {
        return Stream.of(some, more).flatMap(Stream::of).toArray(String[]::new);
    }
}
