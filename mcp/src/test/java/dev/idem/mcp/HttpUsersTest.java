package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.mcp.guard.Message;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several users behind one guard over HTTP. One user got the result of another. */
class HttpUsersTest extends HttpCase {
    private void guardFor(HttpUsers users) throws Exception {
        guardWith(McpOptions.of("fixture"), users, Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DD-API-KEY",
                "Private-Token",
                "X-Forwarded-User",
                "X-Client-Secret",
                "Cookie",
                "Mcp-Api-Key",
                "MCP-User-Id",
                "X-Forwarded-Email",
                "Cf-Access-Jwt-Assertion",
                "X-Ms-Client-Principal",
                "X-Amzn-Oidc-Identity",
                "X-Consumer-Id",
                "X-Tenant-Id",
                "X-Org-Id"
            })
    void whateverNamesTheUserKeepsResultsApart(String header) throws Exception {
        ask(1, "pay", ANN, header, "ann");
        ask(2, "pay", ANN, header, "bob");

        assertThat(server.effects).hasSize(2);
        assertThat(status(ask(3, "pay", ANN, header, "ann"))).isEqualTo("replayed");
    }

    /** The first four belong to a session or a call. Tracing changes the others with each request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mcp-Session-Id",
                "MCP-Protocol-Version",
                "Mcp-Name",
                "Mcp-Param-Token",
                "traceparent",
                "X-Request-Id",
                "X-Forwarded-For"
            })
    void aHeaderThatNamesNoUserMakesNoNewCall(String header) throws Exception {
        ask(1, "pay", ANN, header, "one");

        assertThat(status(ask(2, "pay", ANN, header, "two"))).isEqualTo("replayed");
    }

    @Test
    void aCookieThatChangesMakesNoNewUserWhereThereIsAToken() throws Exception {
        ask(1, "pay", ANN, "Authorization", "Bearer ann", "Cookie", "lb=1", "User-Agent", "a");
        Message second = ask(2, "pay", ANN, "Authorization", "Bearer ann", "Cookie", "lb=2", "User-Agent", "b");

        assertThat(status(second)).isEqualTo("replayed");
    }

    @Test
    void exactlyTheNamedHeadersTellUsersApart() throws Exception {
        guardFor(HttpUsers.named(List.of("X-Badge", "X-Floor")));
        ask(1, "pay", ANN, "X-Badge", "7", "X-Floor", "1", "Authorization", "Bearer old");

        assertThat(status(ask(2, "pay", ANN, "x-badge", "7", "x-floor", "1", "Authorization", "Bearer new")))
                .isEqualTo("replayed");
        assertThat(status(ask(3, "pay", ANN, "X-Badge", "8", "X-Floor", "1"))).isEmpty();
        assertThat(status(ask(4, "pay", ANN, "X-Badge", "7", "X-Floor", "2"))).isEmpty();
        assertThat(server.effects).hasSize(3);
    }

    @Test
    void aRequestThatDoesNotNameItsUserIsRefused() throws Exception {
        guardFor(HttpUsers.named(List.of("X-Badge", "X-Floor")));
        HttpResponse<String> refused = post(guarded, call(1, "pay", ANN), "X-Badge", "7");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("the header x-floor, which names the user, is missing");
        assertThat(post(guarded, call(1, "pay", ANN), "X-Badge", "7", "X-Floor", " ")
                        .statusCode())
                .isEqualTo(400);
        assertThat(post(guarded, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.headers).isEmpty();
    }

    @Test
    void aSingleUserIsTheSameWhateverItSends() throws Exception {
        guardFor(HttpUsers.one());
        ask(1, "pay", ANN, "Authorization", "Bearer old");

        assertThat(status(ask(2, "pay", ANN, "Authorization", "Bearer new"))).isEqualTo("replayed");
    }

    @Test
    void aGuardThatGuessesItsUsersServesOnlyItsMachine() {
        assertThatThrownBy(() -> proxy.start("192.0.2.1", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--user-header")
                .hasMessageContaining("--single-user");
    }
}
