/** Tools for experiments: real servers, temporary folders, the description of the machine. */
@NullMarked
package dev.idem.lab;

import org.jspecify.annotations.NullMarked;
