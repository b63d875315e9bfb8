/** Carries messages over HTTP, to a server that has a URL. */
@NullMarked
package dev.idem.mcp.http;

import org.jspecify.annotations.NullMarked;
