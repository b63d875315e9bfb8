/** Random calls from many processes while things break, and the verdict on what came of it. */
@NullMarked
package dev.idem.torture;

import org.jspecify.annotations.NullMarked;
