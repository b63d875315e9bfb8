/** Carries messages through stdin and stdout, to a server that is a process. */
@NullMarked
package dev.idem.mcp.stdio;

import org.jspecify.annotations.NullMarked;
