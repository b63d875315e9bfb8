package dev.idem.benchmarks;

/** The Redis that is measured, by where it listens on the loopback. */
record RedisServer(int port) {}
