package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.idem.lab.browser.Browser;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Browsable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page on another port of this host, in a real browser, even one that has got hold of a token. */
@Tag("proof")
@Timeout(300)
class ForeignPageIT {
    /** Tries each way in which a page can ask another server; lists the answers that it can read. */
    private static final String TRIES = """
            const [server, token] = arguments;
            const read = [];
            const claim = key => JSON.stringify({operation: 'o', key, attempt_id: '0123456789abcdef0123456789abcdef'});
            const within = (what, promise) => Promise.race([promise, new Promise(end => setTimeout(end, 5000))])
                .then(text => text && read.push(what + ': ' + text), () => {});
            const ask = (what, path, options) => within(what, fetch(server + path, options)
                .then(async answer => answer.type === 'opaque' ? '' : answer.status + ' ' + await answer.text()));
            const bearer = {Authorization: 'Bearer ' + token};
            document.cookie = 'token=' + token + '; path=/';
            for (const path of ['/healthz', '/readyz', '/v1/events', '/v1/hello', '/']) {
                await ask('get', path, {});
                await ask('get with a token', path, {headers: bearer});
                await ask('get with cookies', path, {credentials: 'include'});
                await ask('opaque get', path, {mode: 'no-cors', credentials: 'include'});
            }
            for (const [number, type] of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'].entries()) {
                const post = {method: 'POST', body: claim('post-' + number)};
                await ask('post', '/v1/claim', {...post, headers: {...bearer, 'Content-Type': type}});
                await ask('post with cookies', '/v1/claim', {...post, headers: {'Content-Type': type}, credentials: 'include'});
                await ask('opaque post', '/v1/claim', {...post, headers: {'Content-Type': type}, mode: 'no-cors'});
                await ask('beacon', '/v1/claim', {...post, headers: {'Content-Type': type}, mode: 'no-cors', keepalive: true});
            }
            await within('events', new Promise(end => {
                const events = new EventSource(server + '/v1/events?filter=%7B%7D', {withCredentials: true});
                events.onopen = () => end('open');
                events.onmessage = event => end(event.data);
                events.onerror = () => end('');
            }));
            for (const kind of ['img', 'script', 'iframe']) {
                await within(kind, new Promise(end => {
                    const element = document.createElement(kind);
                    element.onload = () => {
                        if (kind !== 'iframe') { end('loaded'); return; }
                        try { end(element.contentDocument.body.innerText); } catch (e) { end(''); }
                    };
                    element.onerror = () => end('');
                    element.src = server + '/v1/hello';
                    document.body.append(element);
                }));
            }
            await within('form', new Promise(end => {
                document.body.insertAdjacentHTML('beforeend', '<iframe name=answer></iframe><form method=post target=answer '
                    + 'enctype=text/plain><input name=x></form>');
                const form = document.forms[0];
                form.action = server + '/v1/claim';
                const body = claim('form');
                form.x.name = body.slice(0, -1) + ',"content":"';
                form.x.value = '"}';
                document.querySelector('[name=answer]').onload = event => {
                    try { end(event.target.contentDocument.body.innerText); } catch (e) { end(''); }
                };
                form.submit();
            }));
            return read;
            """;

    @TempDir
    Path folder;

    @Test
    void readsAndChangesNothing() throws Exception {
        assumeTrue(Browser.isInstalled(), "chromium and chromium-driver are not installed");
        TokenFile tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        String all = tokens.add("all", Access.ALL, null);
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            byte[] page = "<!doctype html><title>elsewhere</title><body>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        site.start();
        try (Ledger ledger = Ledgers.open("memory:");
                Api api = new Api(ledger, "memory:", Host.system(), "1");
                NetworkCarrier carrier = NetworkCarrier.start(
                        api,
                        new NetworkCarrier.Place("127.0.0.1", 0, null, null),
                        tokens,
                        Operations.NONE,
                        Host.system());
                Browser browser = new Browser(folder, "--host-resolver-rules=MAP evil.example 127.0.0.1")) {
            for (String page : List.of("127.0.0.1", "localhost")) {
                browser.open("http://" + page + ":" + site.getAddress().getPort());
                for (String host : List.of("127.0.0.1", "localhost")) {
                    assertThat(browser.run(TRIES, "http://" + host + ":" + carrier.port(), all))
                            .isEqualTo(List.of());
                }
            }
            assertThat(browser.console()).as("the browser has tried").isNotEmpty();
            // A name that is first this page's own and then this server's address: to the browser both are one site.
            browser.open("http://evil.example:" + carrier.port() + "/healthz");
            assertThat((List<?>) browser.run(TRIES, "", all))
                    .allMatch(each -> String.valueOf(each).matches("(?s).*(alive|ready|forbidden).*"));
            assertThat(ledger.as(Browsable.class).orElseThrow().stats().entries())
                    .isEmpty();
        } finally {
            site.stop(0);
        }
    }
}
