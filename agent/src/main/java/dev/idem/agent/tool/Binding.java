package dev.idem.agent.tool;

import dev.idem.internal.json.JsonBinder;
import dev.idem.internal.json.JsonValues;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts arguments to the type that a tool's code takes, and tells which of them it sees. */
interface Binding {
    /** No conversion. */
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

    /** Converts to a record. An absent field and a null field are the same, and give the same key. */
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
