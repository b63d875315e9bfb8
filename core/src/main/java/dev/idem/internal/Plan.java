package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.Provenance;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a call: its identity here, its treatment in its {@link Policy}. It is written only while a copy is
 * made, and is shared and immutable after that.
 */
public final class Plan {
    public String operation;
    public String scope;
    public @Nullable String key;
    public boolean hasIdentity;
    public @Nullable Object identity;
    public boolean hasContent;
    public @Nullable Object content;
    public int occurrence;
    public Map<String, String> labels;
    public Type type;
    public Policy policy;
    public @Nullable Probe<?> probe;
    public @Nullable Consumer<? super Provenance> observer;

    public Plan(String operation) {
        this.operation = operation;
        this.scope = Address.DEFAULT_SCOPE;
        this.occurrence = 1;
        this.labels = Map.of();
        this.type = Object.class;
        this.policy = Policy.unset();
    }

    private Plan(Plan from) {
        this.operation = from.operation;
        this.scope = from.scope;
        this.key = from.key;
        this.hasIdentity = from.hasIdentity;
        this.identity = from.identity;
        this.hasContent = from.hasContent;
        this.content = from.content;
        this.occurrence = from.occurrence;
        this.labels = from.labels;
        this.type = from.type;
        this.policy = from.policy;
        this.probe = from.probe;
        this.observer = from.observer;
    }

    /**
     * A copy that may be changed until it is passed on. A call makes several copies, so a plan holds no field that only
     * few calls need.
     */
    public Plan copy() {
        return new Plan(this);
    }
}
