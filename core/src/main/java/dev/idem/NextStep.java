package dev.idem;

/**
 * The way out of a doubt, by the policy of the operation.
 *
 * @param advice the next step, as a sentence for people
 * @param mayTryAgain whether the same call may get another answer, now or later, without a person
 */
public record NextStep(String advice, boolean mayTryAgain) {}
