/** What a call answers: exit codes, problems, and the one JSON object. */
@NullMarked
package dev.idem.cli.envelope;

import org.jspecify.annotations.NullMarked;
