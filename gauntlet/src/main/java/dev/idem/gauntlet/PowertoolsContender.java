package dev.idem.gauntlet;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.lambda.powertools.idempotency.Idempotency;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.internal.IdempotencyHandler;
import software.amazon.lambda.powertools.utilities.JsonConfig;

/**
 * Powertools for AWS Lambda, idempotency, with a persistence store of ours in memory. Its handler is called as its
 * aspect calls it, without the weaver and with the function's name as the aspect passes it; the configuration is global
 * to the process, as the library has it: {@code Idempotency.config().withPersistenceStore(…).withConfig(
 * IdempotencyConfig.builder().withEventKeyJMESPath("key").withPayloadValidationJMESPath("payload")).configure()}. For
 * the take-over, the Lambda context says how much time remains.
 */
final class PowertoolsContender implements Contender {
    PowertoolsContender() {
        Idempotency.config()
                .withPersistenceStore(new PowertoolsMemory())
                .withConfig(IdempotencyConfig.builder()
                        .withEventKeyJMESPath("key")
                        .withPayloadValidationJMESPath("payload")
                        .build())
                .configure();
    }

    @Override
    public String name() {
        return "Powertools idempotency";
    }

    @Override
    public String store() {
        return "memory";
    }

    @Override
    public String configuration() {
        return "withEventKeyJMESPath(key), withPayloadValidationJMESPath(payload), own BasePersistenceStore in memory;"
                + " IdempotencyHandler called as the aspect calls it";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.KEY_FROM_PAYLOAD, Offer.TAKE_OVER);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        return handle(operation, Map.of("key", key, "payload", payload), null, work);
    }

    @Override
    public Answer callByPayload(String operation, Map<String, Object> payload, Work work) {
        return handle(operation, Map.of("key", payload, "payload", "same"), null, work);
    }

    @Override
    public Answer callFor(Duration lease, String operation, String key, Map<String, Object> payload, Work work) {
        Context context = (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(),
                new Class<?>[] {Context.class},
                (proxy, method, args) ->
                        method.getName().equals("getRemainingTimeInMillis") ? (int) lease.toMillis() : null);
        return handle(operation, Map.of("key", key, "payload", payload), context, work);
    }

    @SuppressWarnings("NullAway") // The library takes null where there is no Lambda context.
    private static Answer handle(String operation, Map<String, Object> request, @Nullable Context context, Work work) {
        JsonNode json = JsonConfig.get().getObjectMapper().valueToTree(request);
        try {
            Object value = new IdempotencyHandler(new WorkJoinPoint(work), operation, json, context).handle();
            return new Answer.Value((String) value);
        } catch (Throwable e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {}
}
