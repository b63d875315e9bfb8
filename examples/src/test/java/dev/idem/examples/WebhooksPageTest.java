package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.webhook.Reason;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Verifier;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of docs/webhooks.md agree with the code. */
class WebhooksPageTest {
    private static final List<String> LINES =
            Pages.text(Pages.root().resolve("docs/webhooks.md")).lines().toList();

    private static String row(String first) {
        return LINES.stream()
                .filter(line -> line.startsWith("| `" + first + "` |"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row for " + first));
    }

    @Test
    void everySenderIsInTheTableWithItsHeaderAndItsTime() {
        for (Sender sender : Sender.all()) {
            String row = row(sender.name());

            assertThat(row)
                    .contains("| "
                            + (sender.signatureHeader().isEmpty()
                                    ? "no signature"
                                    : "`" + sender.signatureHeader() + "`")
                            + " |");
            assertThat(row.endsWith("| none |")).as(row).isNotEqualTo(sender.timestamped());
            assertThat(row.contains("public URL")).as(row).isEqualTo(sender.signsUrl());
        }
    }

    @Test
    void everyReasonIsInTheTableWithItsStatus() {
        for (Reason reason : Reason.values()) {
            assertThat(row(reason.name())).contains("| " + reason.status() + " |");
        }
    }

    @Test
    void everySettingIsInTheTable() {
        for (Method method : Verifier.class.getMethods()) {
            if (method.getReturnType() == Verifier.class && !Modifier.isStatic(method.getModifiers())) {
                assertThat(row(method.getName())).isNotEmpty();
            }
        }
    }
}
