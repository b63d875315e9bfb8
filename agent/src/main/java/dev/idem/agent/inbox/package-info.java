/**
 * An inbox for events that webhooks or queues deliver at least once. An event is claimed before its handler and settled
 * after it: a duplicate gets the result, and the event of a failing handler is not lost.
 */
@NullMarked
package dev.idem.agent.inbox;

import org.jspecify.annotations.NullMarked;
