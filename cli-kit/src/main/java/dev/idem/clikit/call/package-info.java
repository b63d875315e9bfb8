/** One call: runs a command once, and answers. */
@NullMarked
package dev.idem.clikit.call;

import org.jspecify.annotations.NullMarked;
