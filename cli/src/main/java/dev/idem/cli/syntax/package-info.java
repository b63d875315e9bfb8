/** The form of a command: its syntax, from which parser and help work, and its code. */
@NullMarked
package dev.idem.cli.syntax;

import org.jspecify.annotations.NullMarked;
