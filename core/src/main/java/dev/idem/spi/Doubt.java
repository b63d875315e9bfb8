package dev.idem.spi;

import java.time.Instant;

/**
 * Why nobody knows whether the effect took place. It sticks to an entry through take-overs until a completion, a
 * probe's verdict or a person clears it.
 *
 * @param reason one sentence for people, without payloads or messages of exceptions
 */
public record Doubt(String reason, Instant since) {}
