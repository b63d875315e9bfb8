/** The messages between hosts and servers, and the guard that makes each tool call once. */
@NullMarked
package dev.idem.mcp.guard;

import org.jspecify.annotations.NullMarked;
