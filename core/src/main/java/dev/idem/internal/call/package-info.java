/**
 * The engine behind the API, as a line of rooms. A call walks it downward, and no room knows the one above it:
 *
 * <pre>
 * Engine      opens and closes, counts, makes the services
 * Admission   is it open? which entry, inside which operation, in which transaction?
 * Sharing     near cache, one flight for each key in this process
 * Claiming    claims, waits and recovers until the call may run or has an answer
 * Acting      runs or starts the action while its ticket is held
 * Settling    definite or doubtful? records the outcome
 * Replaying   answers from a recorded outcome
 * </pre>
 *
 * A call that joins a transaction walks the same line from Claiming on, built by {@code JoinedCalls} over the ledger of that
 * transaction. {@code Probing} asks about a doubt, by the rules of {@code Recovery}; {@code HeldClaims} serves callers that
 * settle later. {@code Wiring} builds the rooms. Not exported.
 */
@NullMarked
package dev.idem.internal.call;

import org.jspecify.annotations.NullMarked;
