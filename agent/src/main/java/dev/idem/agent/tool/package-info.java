/** Tools: the actions of an agent and their side effects. */
@NullMarked
package dev.idem.agent.tool;

import org.jspecify.annotations.NullMarked;
