/** Shadow runs: what an agent would have done, recorded instead of done, and how two such runs differ. */
@NullMarked
package dev.idem.agent.shadow;

import org.jspecify.annotations.NullMarked;
