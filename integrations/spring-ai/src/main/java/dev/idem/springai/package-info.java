/** Idem for Spring AI: all tools of a chat client, guarded in one line. */
@NullMarked
package dev.idem.springai;

import org.jspecify.annotations.NullMarked;
