/** {@code idem approve} and {@code idem deny}: a person's decision on one call of a tool. */
@NullMarked
package dev.idem.cli.approval;

import org.jspecify.annotations.NullMarked;
