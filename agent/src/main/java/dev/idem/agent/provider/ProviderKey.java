package dev.idem.agent.provider;

import java.util.function.BiConsumer;

/**
 * A key in the form of a provider, and where it goes.
 *
 * @param name of the header or the field
 * @param value the same for every attempt of one operation
 */
public record ProviderKey(KeyPlace place, String name, String value) {
    /** Puts it where it belongs: {@code STRIPE.keyFor(call).into(request::header)}. */
    public void into(BiConsumer<? super String, ? super String> request) {
        request.accept(name, value);
    }
}
