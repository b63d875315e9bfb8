/** The contracts that every ledger passes. */
module dev.idem.testkit {
    requires transitive dev.idem.core;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;
}
