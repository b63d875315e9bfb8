/** Filters that are broken on purpose, each in one way that filters of this kind are known to ship with. */
package dev.idem.http.servlet.broken;
