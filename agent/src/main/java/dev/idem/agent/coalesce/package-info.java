/** Concurrent identical calls share one: one goes upstream, all get its result or its exception. Needs no ledger. */
@NullMarked
package dev.idem.agent.coalesce;

import org.jspecify.annotations.NullMarked;
