/** The commands that look at entries and change them by hand. */
@NullMarked
package dev.idem.cli.entry;

import org.jspecify.annotations.NullMarked;
