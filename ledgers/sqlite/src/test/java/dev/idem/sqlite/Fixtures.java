package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Words for the tests of this package. */
final class Fixtures {
    private Fixtures() {}

    static TestLedger open(Path file) {
        return open(SqliteOptions.at(file));
    }

    static TestLedger open(SqliteOptions options) {
        return TestLedger.open(options, LedgerContext.ofHost(Host.system()));
    }

    static Address address(String key) {
        return new Address("default", "charge", key);
    }

    static ClaimRequest request(String key) {
        return request(key, Owner.named("tester"));
    }

    static ClaimRequest request(String key, Owner owner) {
        UUID id = UUID.randomUUID();
        return ClaimRequest.of(
                new AttemptId(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                address(key),
                new Fingerprints("1d".repeat(32), null),
                owner);
    }

    static Ticket take(Ledger ledger, String key) {
        return ((Claim.Granted) ledger.claim(request(key))).ticket();
    }

    /** Claims and completes. */
    static Entry complete(Ledger ledger, String key) {
        ledger.settle(take(ledger, key), completed(key));
        return ledger.find(address(key)).orElseThrow();
    }

    static Settlement completed(String text) {
        return completed(text.getBytes(StandardCharsets.UTF_8), Retention.DEFAULT);
    }

    static Settlement completed(byte[] bytes, Retention retention) {
        return new Settlement.Completed(
                new Result.Stored(Payload.of(bytes, "application/json", "json")), Effect.CREATED, retention);
    }

    /** A connection of another program. */
    static Connection stranger(Path file) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    /** Does something to a file as another program would. */
    static void meddle(Path file, String sql) throws SQLException {
        try (Connection connection = stranger(file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    static long number(Path file, String sql) throws SQLException {
        try (Connection connection = stranger(file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The columns of the first row. */
    static List<@Nullable String> texts(Path file, String sql) throws SQLException {
        try (Connection connection = stranger(file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            List<@Nullable String> texts = new ArrayList<>();
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                texts.add(row.getString(column));
            }
            return texts;
        }
    }
}
