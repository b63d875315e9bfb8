package dev.idem.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, by the path that a browser asks for. All URLs in them are relative, so a server may show them at
 * any path that ends in a slash. Thread-safe.
 */
public final class Console {
    /** The header of this name for {@code index.html}: the page runs its own scripts, and talks to its own server. */
    public static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The page itself. */
    public static final String INDEX = "index.html";

    /** A dot stands before the ending only, so that a path can't leave its folder. */
    private static final Pattern PATH = Pattern.compile("(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\\.([a-z]+)");

    private static final Map<String, String> MEDIA = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml");

    private static final String LIT = "lib/lit-html/";
    private static final String LIT_JAR = "/META-INF/resources/webjars/lit-html/";
    private static final String LIT_VERSION = "/META-INF/maven/org.webjars.npm/lit-html/pom.properties";
    private static final int TAG_LENGTH = 20;

    private final Map<String, File> found = new ConcurrentHashMap<>();

    /**
     * A file.
     *
     * @param media its media type
     * @param tag its entity tag, with the quotes
     */
    @SuppressWarnings("ArrayRecordComponent") // It is compared with no other.
    public record File(byte[] bytes, String media, String tag) {}

    /** The files of this module. */
    public Console() {}

    /**
     * The file at a path.
     *
     * @param path without a slash in front; empty for the page itself
     * @return null if there is none
     */
    public @Nullable File file(String path) {
        String name = path.isEmpty() ? INDEX : path;
        Matcher matcher = PATH.matcher(name);
        String media = matcher.matches() ? MEDIA.get(matcher.group(1)) : null;
        // Only what is there is kept, so that requests for nothing do not fill the memory.
        return media == null ? null : found.computeIfAbsent(name, each -> read(each, media));
    }

    private static @Nullable File read(String name, String media) {
        String resource = name.startsWith(LIT) ? LIT_JAR + litVersion() + "/" + name.substring(LIT.length()) : name;
        try (InputStream in = Console.class.getResourceAsStream(resource)) {
            if (in == null) {
                return null;
            }
            byte[] bytes = in.readAllBytes();
            return new File(bytes, media, tag(bytes));
        } catch (IOException e) {
            throw new IllegalStateException(name + " of the console can't be read: " + e.getMessage(), e);
        }
    }

    private static String litVersion() {
        try (InputStream in = Console.class.getResourceAsStream(LIT_VERSION)) {
            if (in == null) {
                throw new IllegalStateException("the console needs org.webjars.npm:lit-html on the class path");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new IllegalStateException("the version of lit-html can't be read: " + e.getMessage(), e);
        }
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "\"" + HexFormat.of().formatHex(digest).substring(0, TAG_LENGTH) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
