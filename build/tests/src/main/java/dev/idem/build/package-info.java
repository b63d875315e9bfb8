/** What the build puts beside every test. No module names it: the root {@code pom.xml} adds it to their class paths. */
@NullMarked
package dev.idem.build;

import org.jspecify.annotations.NullMarked;
