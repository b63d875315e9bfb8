package dev.idem.spring;

/** A handler whose requests happen once by themselves, and are not looked at for a key. */
interface WithoutKey {}
