/**
 * Batches: many items, each once. A killed run starts again, skips complete items, tries failed items again, and reports
 * items in doubt.
 */
@NullMarked
package dev.idem.agent.batch;

import org.jspecify.annotations.NullMarked;
