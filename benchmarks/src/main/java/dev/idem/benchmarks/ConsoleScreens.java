package dev.idem.benchmarks;

import dev.idem.lab.TempFolder;
import dev.idem.lab.browser.Browser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pictures of the console in the docs, taken of {@code idem serve --demo}. */
final class ConsoleScreens {
    private static final String LINK = "within a minute: ";

    /** The scope with the most entries that were asked for again, on a page of the search. */
    private static final String BUSIEST_SCOPE = """
            const hits = [...document.querySelectorAll('.hit-row')].filter(hit => hit.querySelector('.again'));
            const scopes = hits.map(hit => hit.querySelector('.hit-scope').innerText);
            const times = scope => scopes.filter(each => each === scope).length;
            return encodeURIComponent(scopes.sort((a, b) => times(b) - times(a))[0]);""";

    private ConsoleScreens() {}

    /** Writes {@code console-*.png} into the folder. */
    static void take(Path folder, Path temporary) throws Exception {
        Files.createDirectories(folder);
        Path launcher = Objects.requireNonNull(StartUp.launcher(), "there is no launcher above this folder");
        Process server = new ProcessBuilder(launcher.toString(), "serve", "--demo")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (TempFolder home = new TempFolder(temporary);
                BufferedReader told = server.errorReader(StandardCharsets.UTF_8);
                Browser browser = new Browser(home.path())) {
            String line = told.readLine();
            while (line != null && !line.contains(LINK)) {
                line = told.readLine();
            }
            browser.resize(1280, 800, false);
            browser.open(Objects.requireNonNull(line, "the demo did not start")
                    .substring(line.indexOf(LINK) + LINK.length())
                    .strip());
            until(browser, "document.querySelectorAll('[data-testid=item]').length > 2");
            shoot(browser, folder, "console");
            browser.darken(true);
            shoot(browser, folder, "console-dark");
            browser.darken(false);
            go(browser, "#/numbers", ".tile");
            shoot(browser, folder, "console-numbers");
            go(browser, "#/search?state=in_doubt", "a.hit");
            click(browser, "a.hit");
            until(browser, "document.querySelector('[data-testid=timeline]')");
            shoot(browser, folder, "console-entry");
            go(browser, "#/search", "a.hit");
            go(browser, "#/scope?scope=" + browser.run(BUSIEST_SCOPE), "[data-testid=step]");
            shoot(browser, folder, "console-scope");
            browser.resize(390, 800, true);
            go(browser, "#/", "[data-testid=item]");
            shoot(browser, folder, "console-phone");
        } finally {
            server.destroy();
            server.waitFor(60, TimeUnit.SECONDS);
        }
    }

    private static void go(Browser browser, String route, String shows) {
        browser.run("location.hash = arguments[0]", route);
        until(browser, "document.querySelector('" + shows + "')");
    }

    private static void click(Browser browser, String what) {
        browser.run("document.querySelector(arguments[0]).click()", what);
    }

    private static void until(Browser browser, String expression) {
        browser.run("while (!(" + expression + ")) { await new Promise(go => setTimeout(go, 20)); }");
    }

    private static void shoot(Browser browser, Path folder, String name) throws IOException {
        browser.run("document.activeElement.blur(); scrollTo(0, 0);"
                + " await new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))");
        @Nullable
        Object png = browser.driver()
                .executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"))
                .get("data");
        Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(png)));
    }
}
