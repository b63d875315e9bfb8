package dev.idem.examples.planted.surface;

/** Stands for a surface such as the command line. */
public final class Surface {}
