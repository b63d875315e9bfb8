/** Tools: what an agent can do, and what doing it does to the world. */
@NullMarked
package dev.idem.agent.tool;

import org.jspecify.annotations.NullMarked;
