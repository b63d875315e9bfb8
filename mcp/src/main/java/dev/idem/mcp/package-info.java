/** A guard between any MCP host and any MCP server: each tool call takes effect once. */
@NullMarked
package dev.idem.mcp;

import org.jspecify.annotations.NullMarked;
