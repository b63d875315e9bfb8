/** The parts of tests on a ledger: fixtures, cases, clocks, processes, faults, and the chaos for a user's own agent. */
@NullMarked
package dev.idem.testkit;

import org.jspecify.annotations.NullMarked;
