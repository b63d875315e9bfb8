package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.util.List;
import java.util.Map;

/** What a call wrote and how it ended. */
record Ran(int exit, String stdout, String stderr) {
    /** The one envelope, which is valid and alone on stdout. */
    Map<String, Object> envelope() {
        Schemas.requireEnvelope(stdout);
        assertThat(stdout.lines()).hasSize(1);
        Map<String, Object> envelope = object(Json.parse(stdout));
        assertThat(((Map<?, ?>) envelope.get("meta")).get("exit_code")).isEqualTo((long) exit);
        return envelope;
    }

    Map<String, Object> data() {
        Map<String, Object> data = object(envelope().get("data"));
        assertThat(data).as(stdout).isNotNull();
        return data;
    }

    Map<String, Object> error() {
        Map<String, Object> error = object(envelope().get("error"));
        assertThat(error).as(stdout).isNotNull();
        return error;
    }

    Map<String, Object> meta() {
        return object(envelope().get("meta"));
    }

    Object effect() {
        return data().get("effect");
    }

    List<Object> warningCodes() {
        List<?> warnings = (List<?>) envelope().get("warnings");
        return warnings.stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("code"))
                .toList();
    }

    @SuppressWarnings("unchecked") // the names of a JSON object are strings
    static Map<String, Object> object(Object json) {
        return (Map<String, Object>) json;
    }
}
