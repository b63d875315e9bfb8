/** The commands that sign and send webhooks. */
@NullMarked
package dev.idem.cli.webhook;

import org.jspecify.annotations.NullMarked;
