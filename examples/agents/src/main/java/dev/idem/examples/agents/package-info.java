/** Small agents in trouble: a lost response, a storm of retries, a model that loops, a batch, a rehearsal. */
@NullMarked
package dev.idem.examples.agents;

import org.jspecify.annotations.NullMarked;
