/** {@code idem mcp}. */
@NullMarked
package dev.idem.cli.mcp;

import org.jspecify.annotations.NullMarked;
