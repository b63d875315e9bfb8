package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.HttpRules;
import dev.idem.http.Problem;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The tables of docs/http.md agree with the code. */
class HttpPageTest {
    @Test
    void everyProblemIsInTheTableWithItsStatus() throws Exception {
        for (Problem problem : Problem.values()) {
            String type = problem.type().replace("urn:idem:problem:", "");

            assertThat(page()).contains("| `" + type + "` | " + problem.status() + " |");
        }
    }

    @Test
    void everyRuleIsInTheTable() throws Exception {
        String rules = page().substring(page().indexOf("## Rules"));
        for (Method method : HttpRules.class.getMethods()) {
            boolean setter = method.getReturnType() == HttpRules.class && !Modifier.isStatic(method.getModifiers());

            assertThat(!setter || rules.contains("`" + method.getName()))
                    .as(method.getName())
                    .isTrue();
        }
    }

    private static String page() throws Exception {
        Path page = Pages.all().stream()
                .filter(each -> each.endsWith("docs/http.md"))
                .findFirst()
                .orElseThrow();
        return Files.readString(page);
    }
}
