/** {@code idem approve} and {@code idem deny}: a person's word for one call of a tool. */
@NullMarked
package dev.idem.cli.approval;

import org.jspecify.annotations.NullMarked;
