/**
 * The loop guard and the budgets of a task: stops a model that repeats itself or goes on for too long, before the call
 * runs, and tells it so in words. Needs no ledger; its counters live in one when asked.
 */
@NullMarked
package dev.idem.agent.guard;

import org.jspecify.annotations.NullMarked;
