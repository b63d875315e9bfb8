/** The same scenarios against Idem and against its peers, in one run. */
@NullMarked
package dev.idem.gauntlet;

import org.jspecify.annotations.NullMarked;
