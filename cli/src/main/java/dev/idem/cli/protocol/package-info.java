/** The bare protocol for scripts and other languages: claim, renew, settle, and keys. */
@NullMarked
package dev.idem.cli.protocol;

import org.jspecify.annotations.NullMarked;
