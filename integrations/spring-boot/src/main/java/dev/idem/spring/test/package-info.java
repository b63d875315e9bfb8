/** Helpers for the tests of applications. They need {@code spring-test}. */
@NullMarked
package dev.idem.spring.test;

import org.jspecify.annotations.NullMarked;
