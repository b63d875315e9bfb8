/** The ledger in Redis or Redis Cluster: one script call a step, one key an entry. */
@NullMarked
package dev.idem.redis;

import org.jspecify.annotations.NullMarked;
