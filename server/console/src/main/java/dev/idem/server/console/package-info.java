/** The files of the console, the page for people, for every server that shows it. */
@NullMarked
package dev.idem.server.console;

import org.jspecify.annotations.NullMarked;
