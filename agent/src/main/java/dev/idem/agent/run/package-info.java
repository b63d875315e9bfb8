/**
 * Run ids: which run of which run of an agent did this. Sortable by time, with parent and child, carried across threads
 * and into log lines, entries, events and outgoing headers.
 */
@NullMarked
package dev.idem.agent.run;

import org.jspecify.annotations.NullMarked;
