package dev.idem.spi.planted;

import java.sql.Connection;

/** Breaks a rule, so that the rule is seen to go red. */
public final class SeamThatKnowsADriver {
    public final Class<?> type = Connection.class;
}
