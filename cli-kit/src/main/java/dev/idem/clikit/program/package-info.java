/** The commands of a picocli program: their declarations, the options of the kit and the manifest. */
@NullMarked
package dev.idem.clikit.program;

import org.jspecify.annotations.NullMarked;
