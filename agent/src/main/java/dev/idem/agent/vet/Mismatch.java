package dev.idem.agent.vet;

/**
 * One mismatch between arguments and their schema.
 *
 * @param field where, such as {@code items[2].cents}; empty for the arguments as a whole
 * @param expected describes the expected value
 * @param got describes the given value
 */
public record Mismatch(String field, String expected, String got) {
    /** One line for the model. */
    public String forModel() {
        return (field.isEmpty() ? "the arguments" : "field '" + field + "'") + ": expected " + expected + ", got "
                + got;
    }
}
