package dev.idem.entry;

/** Proof of a granted claim. It goes with every later write; a ticket whose fence was overtaken changes nothing. */
public record Ticket(Address address, Fence fence) {}
