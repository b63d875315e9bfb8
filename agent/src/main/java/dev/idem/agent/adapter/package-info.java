/** Shared by the adapters for frameworks whose tools Idem guards. */
@NullMarked
package dev.idem.agent.adapter;

import org.jspecify.annotations.NullMarked;
