/** Stores results of any type that Jackson 2 or 3 can write and read. */
@NullMarked
package dev.idem.jackson;

import org.jspecify.annotations.NullMarked;
