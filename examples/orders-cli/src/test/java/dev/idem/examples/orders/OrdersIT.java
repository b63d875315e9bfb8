package dev.idem.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrdersIT {
    /** The declarations that the agent's code may use. */
    private static final String BEFORE = """
            import json, subprocess

            def run(words):
                return subprocess.run(words, stdout=subprocess.PIPE, text=True)

            """;

    private static final String AFTER = """

            print(json.dumps(parsed))
            """;

    @TempDir
    Path folder;

    @Test
    void itScoresThreeOfThree() throws Exception {
        OrdersProcess orders = new OrdersProcess(folder);
        String tool = orders.script("orders", "").toString();

        assertThat(score(
                        orders,
                        "--watch",
                        folder.resolve("store").toString(),
                        "--",
                        tool,
                        "create-order",
                        "--amount",
                        "100"))
                .startsWith("score 3 of 3")
                .contains("orders.db is new", "1  a key keeps a retry from happening twice: yes")
                .doesNotContain("for the next point");
    }

    @Test
    @Tag("proof")
    void itScoresThreeOfThreeInTheFlatShapeAndAskedByAProbe() throws Exception {
        OrdersProcess orders = new OrdersProcess(folder);
        String tool = orders.script("tool", "--json-shape flat").toString();

        assertThat(score(orders, "--probe", tool + " show", "--", tool, "increment-counter", "--key", "views"))
                .startsWith("score 3 of 3")
                .contains("views → views-other", "the probe's answer changed");
    }

    @Test
    void idemScoreGivesItThreeAndANaiveScriptNothing() throws Exception {
        OrdersProcess orders = new OrdersProcess(folder);
        String store =
                orders.script("orders", "").getParent().resolveSibling("store").toString();
        String naive = Files.writeString(
                        folder.resolve("naive"), "echo \"$*\" >> '" + store + "/sent'\necho '{\"ok\": true}'\n")
                .toString();

        Map<?, ?> three =
                data(orders, "score", "--yes", "--watch", store, "--", "orders", "create-order", "--amount", "100");
        Map<?, ?> none =
                data(orders, "score", "--yes", "--watch", store, "--", "sh", naive, "create-order", "--amount", "100");

        assertThat(three).extracting("score", "of", "missing").containsExactly(3L, 3L, List.of());
        assertThat(none).extracting("score", "of").containsExactly(0L, 3L);
        assertThat(none.get("missing").toString()).contains("keep the key with the result");
    }

    /** The data in the answer of the real command line. */
    private static Map<?, ?> data(OrdersProcess orders, String... args) throws Exception {
        String out = idem(orders, List.of(args));
        assertThat(out.lines()).hasSize(1);
        return (Map<?, ?>) ((Map<?, ?>) Json.parse(out)).get("data");
    }

    private static String idem(OrdersProcess orders, List<String> args) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        words.addAll(args);
        OrdersProcess.Ran ran = orders.run(words);
        assertThat(ran.exit()).as(ran.stdout() + ran.stderr()).isZero();
        return ran.stdout();
    }

    @Test
    void theAgentsOwnCodeSeesWhatWasDoneAndWhatWasDoneBefore() throws Exception {
        assumeTrue(onPath("python3"), "python3 is not on the path");
        OrdersProcess orders = new OrdersProcess(folder);
        Path tool = orders.script("tool", "--json-shape flat");
        Path agent = Files.writeString(folder.resolve("agent.py"), BEFORE + resource("agent.py") + AFTER);

        Map<?, ?> first = agent(orders, agent);
        Map<?, ?> second = agent(orders, agent);

        assertThat(first.get("effect")).isEqualTo("created");
        assertThat(second.get("effect")).isEqualTo("noop");
        assertThat(second.get("data")).isEqualTo(first.get("data"));
        Map<?, ?> shown = (Map<?, ?>)
                Json.parse(orders.run(List.of(tool.toString(), "show")).stdout());
        assertThat((List<?>) ((Map<?, ?>) shown.get("data")).get("orders")).hasSize(1);
    }

    private static Map<?, ?> agent(OrdersProcess orders, Path agent) throws Exception {
        OrdersProcess.Ran ran = orders.run(List.of("python3", agent.toString()));
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        Schemas.require("flat", ran.stdout());
        return (Map<?, ?>) Json.parse(ran.stdout());
    }

    /** The text of {@code idem score} for people. */
    private static String score(OrdersProcess orders, String... args) throws Exception {
        List<String> words = new ArrayList<>(List.of("score", "--yes", "--text"));
        words.addAll(List.of(args));
        return idem(orders, words);
    }

    private static boolean onPath(String program) {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(place, program))) {
                return true;
            }
        }
        return false;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = OrdersIT.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
