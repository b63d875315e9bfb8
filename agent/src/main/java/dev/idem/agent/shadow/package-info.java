/** Shadow runs: calls are recorded instead of made, and two such runs can be compared. */
@NullMarked
package dev.idem.agent.shadow;

import org.jspecify.annotations.NullMarked;
