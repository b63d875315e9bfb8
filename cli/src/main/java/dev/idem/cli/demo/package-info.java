/** {@code idem demo}: a checkout agent that is killed and restarted, without Idem and with it. */
@NullMarked
package dev.idem.cli.demo;

import org.jspecify.annotations.NullMarked;
