package dev.idem.lab.browser;

import dev.idem.Json;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Chromium without a window, and with a new profile. It is the one of Debian ({@code chromium} and
 * {@code chromium-driver}); a test asks {@link #isInstalled()} first, and is skipped without it. Closing ends its processes.
 */
public final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    /** A machine that builds many modules at once is slow. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TempFolder sockets;
    private final ChromeDriver driver;

    /** Whether this machine has Chromium and its driver. */
    public static boolean isInstalled() {
        return Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
    }

    /** Starts one that keeps its files in this folder, with these options of its command line besides. */
    public Browser(Path folder, String... more) throws IOException {
        // Chromium ends at once where the path of its socket, TMPDIR and 45 characters, is longer than 107.
        sockets = new TempFolder(Path.of("/tmp"));
        try {
            driver = start(folder, more);
        } catch (RuntimeException e) {
            sockets.close();
            throw e;
        }
        driver.manage().timeouts().scriptTimeout(PATIENCE).pageLoadTimeout(PATIENCE);
    }

    private ChromeDriver start(Path folder, String... more) {
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .withEnvironment(Map.of(
                        "HOME", folder.toString(), "TMPDIR", sockets.path().toString()))
                .withLogOutput(OutputStream.nullOutputStream())
                .build();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + folder.resolve("profile"));
        options.addArguments(more);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        return new ChromeDriver(service, options);
    }

    /** The driver, for all that has no method here. */
    public ChromeDriver driver() {
        return driver;
    }

    /** Opens a page, and waits until it is loaded. */
    public void open(String url) {
        driver.get(url);
    }

    /** Runs the body of an {@code async} function in the page. Returns what it returns. */
    public @Nullable Object run(String body, Object... arguments) {
        return driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                        + "(async function () {" + body + "}).apply(null, [...arguments].slice(0, -1))"
                        + ".then(done, error => done('the script failed: ' + error));",
                arguments);
    }

    /** Gives the page the size of a screen, in points. A phone is a narrow one with touch. */
    public void resize(int width, int height, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
        driver.executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", phone));
    }

    /** Tells pages that the user wants dark colours, or light ones. */
    public void darken(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** The lines of the console since the last call, errors of scripts and refused requests among them. */
    public List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::toString)
                .toList();
    }

    /** The URLs of all requests since the last call, those of other origins too. */
    public List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(each -> member(Json.parse(each.getMessage()), "message"))
                .filter(each -> "Network.requestWillBeSent".equals(member(each, "method")))
                .map(each -> String.valueOf(member(member(member(each, "params"), "request"), "url")))
                .toList();
    }

    private static @Nullable Object member(@Nullable Object object, String name) {
        return object instanceof Map<?, ?> members ? members.get(name) : null;
    }

    /** The addresses to which this tab can go back, and the one where it is. */
    public List<String> addresses() {
        Object entries = member(driver.executeCdpCommand("Page.getNavigationHistory", Map.of()), "entries");
        return entries instanceof List<?> all
                ? all.stream().map(each -> String.valueOf(member(each, "url"))).toList()
                : List.of();
    }

    /** Runs a script in each page that is opened from now on, before the page's own. */
    public void before(String script) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    @Override
    public void close() throws IOException {
        try {
            driver.quit();
        } finally {
            sockets.close();
        }
    }
}
