/** A Jakarta filter that runs each guarded request once. */
module dev.idem.http.servlet {
    requires transitive dev.idem.http;
    requires transitive jakarta.servlet;
    requires static org.jspecify;

    exports dev.idem.http.servlet;
}
