package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of docs/spring-boot.md agrees with the metadata of the starter. */
class SpringBootPageTest {
    @Test
    void everyPropertyIsInTheTableWithItsDefault() throws Exception {
        String page = Files.readString(Pages.root().resolve("docs/spring-boot.md"));
        try (InputStream in = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Map<?, ?> metadata = (Map<?, ?>) Json.parse(in.readAllBytes());
            // Spring Boot has properties of its own for each endpoint.
            List<?> properties = ((List<?>) metadata.get("properties"))
                    .stream()
                            .filter(each -> String.valueOf(((Map<?, ?>) each).get("name"))
                                            .startsWith("idem.")
                                    && !"idem.webhooks".equals(((Map<?, ?>) each).get("name")))
                            .toList();

            assertThat(properties).hasSize(20).allSatisfy(each -> {
                Map<?, ?> property = (Map<?, ?>) each;
                Object usual = property.get("defaultValue");
                assertThat(page)
                        .contains("| `" + property.get("name") + "` | " + (usual == null ? "" : "`" + usual + "` |"));
            });
        }
    }

    @Test
    void everyPropertyOfAWebhookIsInTheTable() throws Exception {
        String page = Files.readString(Pages.root().resolve("docs/spring-boot.md"));
        RecordComponent[] properties =
                Class.forName("dev.idem.spring.IdemProperties$Webhook").getRecordComponents();

        assertThat(properties).hasSize(7).allSatisfy(each -> {
            String name = each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(page).contains("| `idem.webhooks.NAME." + name + "` |");
        });
    }
}
