/** The syntax of the command line: the table of commands and options, the parser and the help. */
@NullMarked
package dev.idem.cli.syntax;

import org.jspecify.annotations.NullMarked;
