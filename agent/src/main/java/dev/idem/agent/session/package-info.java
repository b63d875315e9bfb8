/** Sessions: one task of an agent, whose calls happen once, and go on after a restart where they were. */
@NullMarked
package dev.idem.agent.session;

import org.jspecify.annotations.NullMarked;
