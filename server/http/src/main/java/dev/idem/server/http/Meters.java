package dev.idem.server.http;

import java.util.function.Supplier;

/** Measures the requests that methods get. */
interface Meters {
    /** Measures nothing. */
    Meters NONE = (method, work) -> work.get();

    /** The answer of a method, which this work gives. */
    String measured(String method, Supplier<String> work);
}
