/** The contracts that every ledger passes, with settable clocks and processes. */
module dev.idem.testkit {
    requires transitive dev.idem.core;
    requires transitive java.sql;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static org.jspecify;

    exports dev.idem.testkit;
    exports dev.idem.testkit.contract;
    exports dev.idem.testkit.hazard;
    exports dev.idem.testkit.store;
    exports dev.idem.testkit.transaction;

    opens dev.idem.testkit;
    opens dev.idem.testkit.contract;
    opens dev.idem.testkit.hazard;
    opens dev.idem.testkit.model;
    opens dev.idem.testkit.store;
    opens dev.idem.testkit.transaction;
}
