package dev.idem;

/**
 * How an entry gets out of doubt, by the policy of the operation that met it.
 *
 * @param advice what to do next, for people
 * @param mayTryAgain whether the same call made again, now or later, may be answered differently by itself
 */
public record NextStep(String advice, boolean mayTryAgain) {}
