package dev.idem.server.http;

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
            "session?scope=acme2%2Fx",
            "entry?scope=acme2%2Fx&operation=hidden_tool&key=req-1");

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
                + String.valueOf(browser.driver().executeCdpCommand("Page.getNavigationHistory", Map.of()));
    }

    @Test
    void aPageOfAnotherPortReadsAndResolvesNothing() throws Exception {
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
            for (String host : List.of("127.0.0.1", "localhost")) {
                String here = "http://" + host + ":" + neighbour.getAddress().getPort() + "/";
                String target = world.url().replace("127.0.0.1", host);
                origins.addAll(List.of(here, target));
                browser.open(world.signIn("ann-" + host).replace(world.url(), target));
                untilLive();
                browser.open(here);
                assertThat(attack(target, resolve)).as("what the neighbour got").isEqualTo("nothing");
                assertThat(world.find(doubt.address())).isEqualTo(doubt);
                browser.open(target);
                untilShown("Charge for cus_1");
            }
        } finally {
            neighbour.stop(0);
        }
        // The neighbour's program has the cookie, and can do nothing with it.
        assertThat(cookies).isNotEmpty();
        HttpClient client = HttpClient.newHttpClient();
        for (String cookie : cookies) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(world.url() + "v1/browse"))
                    .header("Content-Type", "application/json")
                    .header("Cookie", cookie)
                    .POST(HttpRequest.BodyPublishers.ofString("{}"));
            assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
        }
        assertThat(world.find(doubt.address())).isEqualTo(doubt);
        // The browser reports what it kept from the neighbour.
        expected.addAll(
                List.of("CORS", "net::ERR", "403", "NotSameOrigin", "Refused to", "MIME type", "frame", "favicon"));
    }

    /** Tries what a page can try; tells what it got of the console. */
    private String attack(String target, String resolve) {
        return (String) browser.run("""
                const [target, resolve] = arguments, got = [];
                const json = {'Content-Type': 'application/json', 'X-Idem-Console': ''};
                const tries = [
                  ['', {}], ['console/settings', {}], ['v1/events', {}], ['healthz?', {}],
                  ['v1/browse', {method: 'POST', body: '{}', headers: json}],
                  ['v1/resolve', {method: 'POST', body: resolve, headers: json}],
                  ['v1/resolve', {method: 'POST', body: resolve, headers: {'Content-Type': 'text/plain'}}],
                ];
                for (const [path, options] of tries) {
                  for (const mode of ['cors', 'no-cors']) {
                    try {
                      const answer = await fetch(target + path, {credentials: 'include', mode, ...options});
                      const text = await answer.text();
                      if (text && path !== 'healthz?') got.push(path + ' ' + mode + ' ' + text);
                    } catch (e) { }
                  }
                }
                const loaded = (tag, set) => new Promise(go => {
                  const element = document.createElement(tag);
                  element.onload = () => go(true);
                  element.onerror = () => go(false);
                  set(element);
                  document.body.append(element);
                });
                if (await loaded('script', e => (e.type = 'module', e.src = target + 'api.js'))) got.push('a script');
                if (await loaded('script', e => e.src = target + 'console/settings')) got.push('settings as a script');
                if (await loaded('img', e => e.src = target + 'icon.svg')) got.push('an image');
                if (await loaded('link', e => (e.rel = 'stylesheet', e.href = target + 'console.css'))) got.push('a style');
                const frame = document.createElement('iframe');
                frame.src = target; frame.name = 'framed';
                await new Promise(go => { frame.onload = go; document.body.append(frame); });
                try { got.push('a frame: ' + frame.contentDocument.body.innerText); } catch (e) { }
                const form = document.createElement('form');
                Object.assign(form, {method: 'POST', action: target + 'v1/resolve', enctype: 'text/plain', target: 'framed'});
                const input = document.createElement('input');
                [input.name, input.value] = [resolve.slice(0, -1) + ',"x":"', '"}'];
                form.append(input);
                document.body.append(form);
                await new Promise(go => { frame.onload = go; form.submit(); });
                return got.length ? got.join('; ') : 'nothing';""", target, resolve);
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
            assertThat(text().replace("acme2/x", "")).as(page).doesNotContain("hidden_");
            assertThat(text()).as(page).doesNotContain("42.00 USD, acme2");
        }
        go("numbers");
        until("document.querySelector('table')");
        assertThat(browser.run("return [...document.querySelectorAll('.tile')].map(each => each.innerText).join()")
                        .toString())
                .contains("Calls\n1\n", "Waiting for approval\n1\n");
        go("search");
        for (String typed : List.of("hid", "scope:acme", "operation:h", "label:hidden", "label:hidden_label=")) {
            until("document.querySelectorAll('[data-testid=hit]').length === 1");
            browser.run(
                    "const field = document.querySelector('#search-field'); field.focus(); field.value = arguments[0];"
                            + " field.dispatchEvent(new Event('input'))",
                    typed);
            dev.idem.testkit.Until.isTrue(
                    "asked for suggestions",
                    () -> browser.requests().stream().anyMatch(each -> each.endsWith("v1/suggest")));
            until("document.querySelector('[data-testid=suggestion]')");
            assertThat(text()).as(typed).doesNotContain("hidden_tool", "hidden_value", "acme2");
        }

        // What is not seen is not decided either.
        String answers =
                (String) browser.run("""
                const ask = async (method, body) => (await fetch('v1/' + method, {method: 'POST', body: JSON.stringify(body),
                  headers: {'Content-Type': 'application/json', 'X-Idem-Console': localStorage.getItem('idem-console-second')}})).text();
                return await ask('approvals.approve', {approval: arguments[0]})
                  + await ask('resolve', {scope: 'acme2/x', operation: 'hidden_tool', key: 'req-1', fence: arguments[1],
                      state: 'in_doubt', as: 'complete', why: 'x', request_id: 'request-1'})
                  + await ask('poison.again', {source: 'acme2/x', key: 'hidden_event'})
                  + await ask('result', {scope: 'acme2/x', operation: 'hidden_tool', key: 'req-1'});""", approval, world.find(hidden).fence().toString());
        assertThat(answers).contains("gone", "forbidden").doesNotContain("done");
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
