package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

/** What is sent as one text comes to the server as the texts it was made of. */
class TextArrayTest {
    @Test
    void the_server_reads_every_text_as_it_was() throws Exception {
        String[] texts = {"none", "", null, "NULL", "a,b", "{}", "\"", "\\", "\\\"{x}\\", " ä \n"};
        String url = "jdbc:postgresql://127.0.0.1:" + TestServer.shared().port() + "/postgres?user=postgres";
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement ask = connection.prepareStatement("SELECT ?::text[]")) {
            ask.setString(1, TextArray.of(texts));
            try (ResultSet row = ask.executeQuery()) {
                row.next();
                assertThat((Object[]) row.getArray(1).getArray()).containsExactly((Object[]) texts);
            }
        }
    }
}
