/**
 * A harness for clients of {@code idem serve}. It starts the driver of a client, gives it jobs and a server that loses
 * messages, dies and delays, and compares the effects, the outcomes and the requests with the duties of a client in
 * docs/protocol.md.
 */
@NullMarked
package dev.idem.conformance;

import org.jspecify.annotations.NullMarked;
