/** {@code idem batch}: a command once for each line. */
@NullMarked
package dev.idem.cli.batch;

import org.jspecify.annotations.NullMarked;
