package dev.idem.agent.vet;

/**
 * One thing about arguments that does not fit their schema.
 *
 * @param field where, such as {@code items[2].cents}; empty for the arguments as a whole
 * @param expected what belongs there, in words
 * @param got what was there instead, in words
 */
public record Mismatch(String field, String expected, String got) {
    /** One line for the model. */
    public String forModel() {
        return (field.isEmpty() ? "the arguments" : "field '" + field + "'") + ": expected " + expected + ", got "
                + got;
    }
}
