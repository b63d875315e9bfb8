/** {@code idem mcp} and the commands that begin with this word. */
@NullMarked
package dev.idem.cli.mcp;

import org.jspecify.annotations.NullMarked;
