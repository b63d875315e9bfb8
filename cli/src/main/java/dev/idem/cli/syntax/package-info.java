/** What may stand on a line: the table of commands and options, its parser and its help. */
@NullMarked
package dev.idem.cli.syntax;

import org.jspecify.annotations.NullMarked;
