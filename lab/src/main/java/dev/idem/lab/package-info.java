/** What experiments need: real servers, folders that go when they are closed, the name of the machine. */
@NullMarked
package dev.idem.lab;

import org.jspecify.annotations.NullMarked;
