/** Calls of Idem inside transactions of Spring. */
@org.jspecify.annotations.NullMarked
package dev.idem.spring.tx;
