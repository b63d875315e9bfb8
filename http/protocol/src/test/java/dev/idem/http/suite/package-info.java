/** The rules of idempotency keys over HTTP as a table, which every adapter runs against its server. */
package dev.idem.http.suite;
