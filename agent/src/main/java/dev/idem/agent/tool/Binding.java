package dev.idem.agent.tool;

import dev.idem.internal.json.JsonBinder;
import dev.idem.internal.json.JsonValues;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns arguments into what a tool's code takes, and says what of them it sees. */
interface Binding {
    /** As they came. */
    Binding RAW = new Binding() {
        @Override
        public Object bind(ToolInput input) {
            return input;
        }

        @Override
        public Map<String, @Nullable Object> seen(ToolInput input, Object bound) {
            return input.fields();
        }
    };

    Object bind(ToolInput input);

    Map<String, @Nullable Object> seen(ToolInput input, Object bound);

    /** As a record: a field that is absent and one that is null are the same to it, and make the same key. */
    static Binding to(Type type) {
        return new Binding() {
            @Override
            public Object bind(ToolInput input) {
                return Objects.requireNonNull(JsonBinder.bind(input.fields(), type));
            }

            @Override
            @SuppressWarnings("unchecked") // the names in a plain object are strings
            public Map<String, @Nullable Object> seen(ToolInput input, Object bound) {
                return (Map<String, @Nullable Object>) Objects.requireNonNull(JsonValues.of(bound));
            }
        };
    }
}
