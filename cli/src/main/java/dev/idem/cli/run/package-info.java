/** {@code idem run}: a command once. */
@NullMarked
package dev.idem.cli.run;

import org.jspecify.annotations.NullMarked;
