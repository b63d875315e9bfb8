/** A store of request ids: the plain face of Idem for code that marks requests by hand. */
@NullMarked
package dev.idem.request;

import org.jspecify.annotations.NullMarked;
