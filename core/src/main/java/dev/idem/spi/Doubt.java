package dev.idem.spi;

import java.time.Instant;

/**
 * The reason why it is unknown whether the effect took place. The entry keeps it through take-overs, until a
 * completion, a probe's verdict or a person clears it.
 *
 * @param reason one sentence for people, without payloads or messages of exceptions
 */
public record Doubt(String reason, Instant since) {}
