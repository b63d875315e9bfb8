/**
 * An inbox for events that are delivered at least once, by webhooks or queues: claimed before the handler and settled
 * after it, so that a duplicate is answered and a failing handler's event is not lost. It knows no server and no queue.
 */
@NullMarked
package dev.idem.agent.inbox;

import org.jspecify.annotations.NullMarked;
