package dev.idem.agent.vet;

import java.lang.reflect.Type;

/**
 * A named part of a tool's input.
 *
 * @param required whether it must be there
 * @param description for the model; empty for none
 */
public record InputField(String name, Type type, boolean required, String description) {}
