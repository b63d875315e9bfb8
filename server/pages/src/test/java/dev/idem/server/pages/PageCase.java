package dev.idem.server.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.lab.Proxy;
import dev.idem.lab.browser.Browser;
import dev.idem.server.Access;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** A person at a browser. What the page asks for, and what it reports as errors, is looked at after each test. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageCase {
    /** The second that a page counts by passes when a test says so. */
    private static final String CLOCK = """
            (() => {
              const real = window.setInterval, stop = window.clearInterval, every = new Map();
              let last = 1e6;
              window.setInterval = (f, ms) => ms === 1000 ? (every.set(++last, f), last) : real.call(window, f, ms);
              window.clearInterval = id => every.delete(id) || stop.call(window, id);
              window.secondsPass = n => { for (let i = 0; i < n; i++) [...every.values()].forEach(f => f()); };
            })()""";

    @TempDir
    static Path profile;

    @TempDir
    Path folder;

    Browser browser;
    PageWorld world;
    /** Errors that a test wants to see, as parts of lines of the console. */
    final List<String> expected = new ArrayList<>();
    /** Where requests may go besides the server. */
    final List<String> origins = new ArrayList<>();

    @BeforeAll
    void startBrowser() throws IOException {
        assumeTrue(Browser.isInstalled(), "chromium and chromium-driver are not installed");
        browser = new Browser(profile);
        browser.before(CLOCK);
    }

    @AfterAll
    void endBrowser() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void startServer() throws IOException {
        expected.clear();
        origins.clear();
        serve(new PageWorld(folder));
        browser.resize(1280, 900, false);
        browser.darken(false);
        browser.console();
        browser.requests();
    }

    @AfterEach
    void endServer() throws IOException {
        try {
            assertThat(browser.requests())
                    .as("requests")
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(origins).anyMatch(each::startsWith));
            assertThat(browser.console())
                    .as("console")
                    .allSatisfy(line -> assertThat(expected).anyMatch(line::contains));
        } finally {
            browser.open("about:blank");
            world.close();
        }
    }

    /** Goes on with this server. */
    void serve(PageWorld next) {
        world = next;
        origins.addAll(List.of(world.url(), "blob:" + world.url(), "data:"));
    }

    /** Opens the page as a person with a new token of this name. */
    void signIn(String name) throws IOException {
        signIn(name, Access.ALL);
    }

    void signIn(String name, Access access) throws IOException {
        browser.open(world.signIn(name, access));
        untilLive();
    }

    /** Signs in through a proxy that can lose answers. */
    Proxy signInBehind(String name) throws IOException {
        Proxy proxy = new Proxy(world.carrier.port());
        String here = "http://127.0.0.1:" + proxy.port() + "/";
        origins.add(here);
        expected.add("net::ERR_");
        browser.open(world.signIn(name).replace(world.url(), here));
        untilLive();
        return proxy;
    }

    /** Signs in by the form, with a new token, which is given. */
    String signInHere(String name) throws IOException {
        String token = world.token(name, Access.ALL);
        type(id("token"), token);
        click(id("sign-in") + " button");
        untilLive();
        return token;
    }

    void untilLive() {
        until("document.querySelector('[data-testid=live].live')");
    }

    /** Goes to a page of the console, such as {@code search?state=failed}. */
    void go(String route) {
        browser.run("location.hash = '#/' + arguments[0]", route);
        until("!document.querySelector('.loading')");
    }

    /** Waits until a JavaScript expression about the page is true. */
    void until(String expression, Object... arguments) {
        assertThat(browser.run(
                        "for (let end = Date.now() + 60000; ; await new Promise(go => setTimeout(go, 20))) {"
                                + "  if (" + expression + ") { return true; }"
                                + "  if (Date.now() > end) { return location.href + '\\n' + document.body.innerText; } }",
                        arguments))
                .as("until " + expression)
                .isEqualTo(true);
    }

    void untilShown(String text) {
        until("document.body.innerText.includes(arguments[0])", text);
    }

    void untilGone(String text) {
        until("!document.body.innerText.includes(arguments[0])", text);
    }

    static String id(String testId) {
        return "[data-testid='" + testId + "']";
    }

    /** Clicks what is there as soon as it is. */
    void click(String css) {
        find(css).click();
    }

    void type(String css, String text) {
        find(css).sendKeys(text);
    }

    /** Presses keys where the focus is. */
    void press(CharSequence... keys) {
        new Actions(browser.driver()).sendKeys(keys).perform();
    }

    WebElement find(String css) {
        until("[...document.querySelectorAll(arguments[0])].some(each => each.checkVisibility())", css);
        return browser.driver().findElements(By.cssSelector(css)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElseThrow();
    }

    long count(String css) {
        return (long) browser.run("return document.querySelectorAll(arguments[0]).length", css);
    }

    String text() {
        return (String) browser.run("return document.body.innerText");
    }

    String text(String css) {
        return find(css).getText();
    }

    /** Lets the page's clock go on. */
    void seconds(int number) {
        browser.run("secondsPass(arguments[0])", number);
    }
}
