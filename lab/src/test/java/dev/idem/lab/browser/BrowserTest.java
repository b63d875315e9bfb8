package dev.idem.lab.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class BrowserTest {
    @TempDir
    Path folder;

    @Test
    void aPageRunsInItAndNothingStays() throws Exception {
        assumeTrue(Browser.isInstalled(), "chromium and chromium-driver are not installed");
        Path page = folder.resolve("page.html");
        Files.writeString(
                page,
                "<!doctype html><meta name=viewport content=width=device-width><title>A page</title><script>console.error('seen')</script>");
        List<ProcessHandle> started;
        try (Browser browser = new Browser(folder)) {
            started = ProcessHandle.current().descendants().toList();
            browser.open(page.toUri().toString());
            assertThat(browser.driver().getTitle()).isEqualTo("A page");
            assertThat(browser.console()).singleElement().asString().contains("seen");
            assertThat(browser.run("return await Promise.resolve(arguments[0] + 1)", 1))
                    .isEqualTo(2L);
            assertThat(browser.run("throw new Error('no')")).asString().contains("no");
            browser.resize(390, 844, true);
            browser.darken(true);
            assertThat(browser.run("return [innerWidth, innerHeight, navigator.maxTouchPoints > 0,"
                            + " matchMedia('(prefers-color-scheme: dark)').matches]"))
                    .isEqualTo(List.of(390L, 844L, true, true));
        }
        for (ProcessHandle each : started) {
            assertThat(each.onExit().get(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aFolderWithALongPathWillDo() throws Exception {
        assumeTrue(Browser.isInstalled(), "chromium and chromium-driver are not installed");
        try (Browser browser = new Browser(Files.createDirectories(folder.resolve("long".repeat(30))))) {
            browser.open("data:text/html,<title>Far</title>");
            assertThat(browser.driver().getTitle()).isEqualTo("Far");
        }
    }
}
