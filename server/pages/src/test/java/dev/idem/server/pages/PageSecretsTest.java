package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.server.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the page, its address and other pages in the same browser do not get to see. */
final class PageSecretsTest extends PageCase {
    private static final List<String> PAGES = List.of(
            "",
            "search",
            "search?scope=acme2%2Fx",
            "search?operation=hidden_tool",
            "numbers",
            "scope?scope=acme2%2Fx",
            "entry?scope=acme2%2Fx&operation=hidden_tool&key=req-1");

    /** A script that asks the server as the page does. */
    private static final String ASK = """
            const ask = async (method, body) => (await fetch('v1/' + method, {method: 'POST', body: JSON.stringify(body),
              headers: {'Content-Type': 'application/json', 'X-Idem-Console': localStorage.getItem('idem-console-second')}})).text();
            """;

    @Test
    void aTokenIsInNoAddressAndInNoPage() throws Exception {
        world.doubt("order-7", "cus_1");
        String token = world.token("ann", Access.ALL);
        browser.open(world.url());
        expected.add("401");
        type(id("token"), "not-a-token");
        click(id("sign-in") + " button");
        untilShown("This token is not known here");
        browser.run("document.querySelector('[data-testid=token]').value = ''");
        type(id("token"), token);
        click(id("sign-in") + " button");
        untilLive();
        untilShown("Charge for cus_1");
        go("search");
        assertThat(kept()).doesNotContain(token).contains("/#/search");
        assertThat(browser.run("return document.cookie")).isEqualTo("");
        List<String> requests = browser.requests();
        assertThat(requests).hasSizeGreaterThan(5).noneMatch(each -> each.contains(token));

        click(id("sign-out"));
        find(id("token"));
        assertThat(text()).doesNotContain("ann", "order-7");
        assertThat(browser.run("return (await fetch('v1/stats', {method: 'POST', body: '{}',"
                        + " headers: {'Content-Type': 'application/json', 'X-Idem-Console': ''}})).status"))
                .isEqualTo(401L);
        browser.driver().navigate().refresh();
        find(id("token"));
        browser.open(world.url() + "#/search");
        find(id("token"));
    }

    @Test
    void aCodeIsTakenOutOfTheAddressAndWorksOnce() throws Exception {
        String link = world.signIn("ann");
        String code = link.substring(link.indexOf("code=") + "code=".length());
        browser.open(link);
        untilLive();
        assertThat(kept()).doesNotContain(code);
        assertThat(browser.requests()).noneMatch(each -> each.contains(code));
        click(id("sign-out"));
        find(id("token"));

        expected.add("401");
        browser.open("about:blank");
        browser.open(link);
        untilShown("The link was used already");
        assertThat(kept()).doesNotContain(code);
        // A link that is pasted into a page that is open already.
        String other = world.signIn("bob");
        browser.run("location.href = arguments[0]", other);
        untilLive();
        assertThat(kept()).doesNotContain(other.substring(other.indexOf("code=")));
    }

    /** All that the browser keeps and shows of the page, its history too. */
    private String kept() {
        return browser.run("return document.documentElement.outerHTML + location.href"
                        + " + [...document.querySelectorAll('input')].map(each => each.value)"
                        + " + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})"
                        + " + JSON.stringify(history.state) + document.title")
                + String.join(" ", browser.addresses());
    }

    /** Browsers send a cookie to every port of its host. */
    @Test
    void theProgramOfAnotherPortHasTheCookieAndCanDoNothingWithIt() throws Exception {
        Entry doubt = world.doubt("order-7", "cus_1");
        String resolve =
                "{\"scope\":\"order-7\",\"operation\":\"charge\",\"key\":\"req-cus_1\",\"fence\":\"" + doubt.fence()
                        + "\",\"state\":\"in_doubt\",\"as\":\"complete\",\"why\":\"x\",\"request_id\":\"request-evil\"}";
        List<String> cookies = Collections.synchronizedList(new ArrayList<>());
        HttpServer neighbour = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        neighbour.createContext("/", exchange -> {
            cookies.addAll(exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
            byte[] page = "<!doctype html><title>A neighbour</title><body>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        neighbour.start();
        try {
            String here = "http://127.0.0.1:" + neighbour.getAddress().getPort() + "/";
            origins.add(here);
            signIn("ann");
            browser.open(here);
            assertThat(browser.run("""
                            const got = [];
                            for (const mode of ['cors', 'no-cors']) {
                              for (const type of ['application/json', 'text/plain']) {
                                await fetch(arguments[0] + 'v1/resolve', {method: 'POST', body: arguments[1], mode, credentials: 'include',
                                  headers: {'Content-Type': type}}).then(async answer => got.push(await answer.text()), () => {});
                              }
                            }
                            return got.join('');""", world.url(), resolve)).isEqualTo("");
            browser.open(world.url());
            untilShown("Charge for cus_1");
        } finally {
            neighbour.stop(0);
        }
        assertThat(cookies).isNotEmpty();
        HttpClient client = HttpClient.newHttpClient();
        for (String cookie : cookies) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(world.url() + "v1/resolve"))
                    .header("Content-Type", "application/json")
                    .header("Cookie", cookie)
                    .POST(HttpRequest.BodyPublishers.ofString(resolve));
            assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
        }
        assertThat(world.find(doubt.address())).isEqualTo(doubt);
        // The browser reports what it kept from the neighbour.
        expected.addAll(List.of("CORS", "403", "net::ERR"));
    }

    @Test
    void aTokenForAcmeSeesNothingOfAcme2() throws Exception {
        world.doubt("acme/shop", "cus_1");
        Address hidden = new Address("acme2/x", "hidden_tool", "req-1");
        world.doubt(world.call("acme2/x", "hidden_tool", "req-1").label("hidden_label", "hidden_value"), hidden);
        String approval = world.held("acme2/x", "hidden_approval", Map.of("a", 1));
        world.held("acme/shop", "drop_table", Map.of("a", 1));
        world.givenUp("acme2/x", "hidden_event", "hidden_failure");
        signIn("ann", Access.of(List.of("read", "payloads", "operate"), List.of("acme/*")));
        untilShown("drop_table");
        assertThat(text(id("badge"))).isEqualTo("2");
        expected.add("403");
        for (String page : PAGES) {
            go(page);
            until("document.querySelector('h1, .trouble, .empty')");
            until("document.querySelector('[data-testid=live]')");
            // The person has typed the address of the page, and sees what was typed.
            String shown = text();
            assertThat(page.contains("hidden_tool") ? shown.replaceFirst("hidden_tool", "") : shown)
                    .as(page)
                    .doesNotContain("hidden_");
        }
        go("numbers");
        until("document.querySelector('table')");
        assertThat(browser.run("return [...document.querySelectorAll('.tile')].map(each => each.innerText).join()")
                        .toString())
                .contains("Tries\n1\n", "Waiting for approval now\n1\n");
        go("search");
        until("document.querySelectorAll('[data-testid=hit]').length === 1");
        type(id("search"), "acme");
        until("document.querySelector('[data-testid=suggestion]')?.innerText.includes('acme/shop')");
        assertThat(text()).doesNotContain("acme2");
        assertThat(String.valueOf(browser.run(ASK + """
                        return await ask('suggest', {of: 'scope'}) + await ask('suggest', {of: 'operation'})
                          + await ask('suggest', {of: 'label'}) + await ask('suggest', {of: 'label', label: 'hidden_label'})
                          + await ask('stats', {}) + await ask('poison.list', {}) + await ask('approvals.list', {});""")))
                .contains("acme/shop", "charge", "drop_table")
                .doesNotContain("acme2", "hidden_");

        // What is not seen is not decided either.
        String answers = (String)
                browser.run(ASK + """
                return await ask('approvals.approve', {approval: arguments[0]})
                  + await ask('resolve', {scope: 'acme2/x', operation: 'hidden_tool', key: 'req-1', fence: arguments[1],
                      state: 'in_doubt', as: 'complete', why: 'x', request_id: 'request-1'})
                  + await ask('poison.again', {source: 'acme2/x', key: 'hidden_event'})
                  + await ask('result', {scope: 'acme2/x', operation: 'hidden_tool', key: 'req-1'});""", approval, world.find(hidden).fence().toString());
        assertThat(answers).contains("\"gone\"", "forbidden").doesNotContain("\"done\"");
        assertThat(world.find(hidden).state()).isEqualTo(State.IN_DOUBT);
    }

    /** An event is sent for what its reader may see, and for nothing else. */
    @Test
    void anEventTellsNothingOfAnotherScope() throws Exception {
        world.doubt("acme/shop", "cus_1");
        signIn("ann", Access.of(List.of("read"), List.of("acme/*")));
        untilShown("Charge for cus_1");
        browser.run("""
                window.heard = [];
                const answer = await fetch('v1/events?filter=' + encodeURIComponent('{}'), {headers:
                  {'X-Idem-Console': localStorage.getItem('idem-console-second')}});
                const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
                (async () => { for (;;) { const {done, value} = await reader.read(); if (done) { return; } heard.push(value); } })();""");
        until("heard.length === 1");
        // Somebody who sees everything hears of the second change: so the watch has looked for all its readers after
        // the first.
        HttpRequest.Builder all = HttpRequest.newBuilder(URI.create(world.url() + "v1/events"))
                .header("Authorization", "Bearer " + world.token("root", Access.ALL));
        try (Stream<String> lines = HttpClient.newHttpClient()
                .send(all.build(), BodyHandlers.ofLines())
                .body()) {
            Iterator<String> heard =
                    lines.filter(each -> each.startsWith("event: ")).iterator();
            world.doubt("acme2/x", "cus_2");
            heard.next();
            world.held("acme2/x", "pay", Map.of("cents", 1));
            heard.next();
        }
        assertThat(browser.run("return heard.filter(each => each.includes('event:')).length"))
                .isEqualTo(0L);
        world.doubt("acme/shop", "cus_3");
        until("heard.some(each => each.includes('event: changed'))");
        untilShown("Charge for cus_3");
    }

    @Test
    void aRevokedTokenEndsItsOpenStream() throws IOException {
        world.doubt("order-7", "cus_1");
        signIn("ann");
        untilShown("Charge for cus_1");
        expected.add("401");
        world.tokens.revoke("ann");
        find(id("token"));
        assertThat(text()).doesNotContain("Charge");
    }
}
