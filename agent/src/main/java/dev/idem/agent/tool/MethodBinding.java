package dev.idem.agent.tool;

import dev.idem.Call;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.agent.vet.InputField;
import dev.idem.internal.json.JsonBinder;
import dev.idem.internal.json.JsonValues;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binds arguments to the parameters of a method.
 *
 * @param fields one for each parameter; null where that takes the call
 * @param whole whether the only field is a record that is the input itself
 */
record MethodBinding(List<@Nullable InputField> fields, boolean whole, ArgumentSchema schema) implements Binding {

    /** Stands where the call will be given. */
    private static final Object THE_CALL = new Object();

    /** The values of the parameters, without the call. */
    record Arguments(List<@Nullable Object> given) {
        @Nullable
        Object[] values(Call call) {
            return given.stream().map(value -> value == THE_CALL ? call : value).toArray();
        }
    }

    static MethodBinding of(Method method) {
        List<@Nullable InputField> fields = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            fields.add(parameter.getType() == Call.class ? null : MethodTools.field(parameter));
        }
        List<InputField> inputs = fields.stream()
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        boolean whole = inputs.size() == 1 && inputs.get(0).type() instanceof Class<?> type && type.isRecord();
        ArgumentSchema schema = whole ? ArgumentSchema.of(inputs.get(0).type()) : ArgumentSchema.of(inputs);
        return new MethodBinding(fields, whole, schema);
    }

    @Override
    public Object bind(ToolInput input) {
        List<@Nullable Object> given = new ArrayList<>();
        for (InputField field : fields) {
            if (field == null) {
                given.add(THE_CALL);
            } else {
                given.add(JsonBinder.bind(whole ? input.fields() : input.get(field.name()), field.type()));
            }
        }
        return new Arguments(given);
    }

    @Override
    @SuppressWarnings("unchecked") // the names in a plain object are strings
    public Map<String, @Nullable Object> seen(ToolInput input, Object bound) {
        List<@Nullable Object> given = ((Arguments) bound).given();
        Map<String, @Nullable Object> seen = new LinkedHashMap<>();
        for (int i = 0; i < given.size(); i++) {
            InputField field = fields.get(i);
            if (field != null && whole) {
                return (Map<String, @Nullable Object>) Objects.requireNonNull(JsonValues.of(given.get(i)));
            } else if (field != null) {
                seen.put(field.name(), JsonValues.of(given.get(i)));
            }
        }
        return seen;
    }
}
