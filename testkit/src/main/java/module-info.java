/** The contracts that every ledger passes, with settable clocks and processes. */
module dev.idem.testkit {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static org.jspecify;

    exports dev.idem.testkit;

    opens dev.idem.testkit;
}
