/**
 * Run ids: they tell which run of an agent made a call. They sort by time, have a parent, and are carried to other
 * threads, log lines, entries, events and outgoing headers.
 */
@NullMarked
package dev.idem.agent.run;

import org.jspecify.annotations.NullMarked;
