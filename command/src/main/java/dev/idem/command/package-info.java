/**
 * Shared code of all command lines of Idem: the answer of a call and its JSON envelope, exit codes, the manifest,
 * signals, the default ledger. Used by the {@code idem} command and by the kit for picocli programs.
 */
@NullMarked
package dev.idem.command;

import org.jspecify.annotations.NullMarked;
