/** A real browser for tests of pages. A module that uses it names {@code selenium-chrome-driver} among its own dependencies. */
@NullMarked
package dev.idem.lab.browser;

import org.jspecify.annotations.NullMarked;
