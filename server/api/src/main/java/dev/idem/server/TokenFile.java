package dev.idem.server;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.spi.Clocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that servers accept: a file with their digests, for its user alone. All servers that have the same file
 * accept the same tokens, and see a change within a second. Thread-safe.
 */
public final class TokenFile {
    private static final Duration READ_EVERY = Duration.ofMillis(500);
    private static final int SECRET_BYTES = 32;
    private static final FileAttribute<?> FOR_USER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** A lock of a file is one of a whole process. */
    private static final ReentrantLock CHANGING = new ReentrantLock();

    private final Path path;
    private final Clocks clocks;
    private volatile @Nullable Seen seen;

    /** The tokens in this file, which need not exist. */
    public TokenFile(Path path, Clocks clocks) {
        this.path = path.toAbsolutePath();
        this.clocks = clocks;
    }

    /** What was read, when, and of which file. */
    private record Seen(long nanos, @Nullable Stamp stamp, Map<String, Token> byDigest) {}

    /** A change gives the file another stamp, since each is a new file. */
    private record Stamp(@Nullable Object key, FileTime changed, long size) {}

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** All tokens, expired ones too. */
    public List<Token> list() throws IOException {
        return read();
    }

    /** The token with this secret, unless it was revoked or has expired. */
    public @Nullable Token find(String secret) throws IOException {
        return standing(Token.digest(secret));
    }

    /** The token whose secret has this digest, unless it was revoked or has expired. */
    public @Nullable Token withDigest(String digest) throws IOException {
        return standing(digest);
    }

    /** Whether a token is still there as it was, and has not expired. */
    public boolean stands(Token token) {
        try {
            return token.equals(standing(token.digest()));
        } catch (IOException e) {
            return false;
        }
    }

    private @Nullable Token standing(String digest) throws IOException {
        Token token = current().get(digest);
        return token == null || token.isExpired(clocks.now().wall()) ? null : token;
    }

    private Map<String, Token> current() throws IOException {
        Seen before = seen;
        long now = System.nanoTime();
        if (before != null && now - before.nanos < READ_EVERY.toNanos()) {
            return before.byDigest;
        }
        Stamp stamp = stamp();
        Map<String, Token> tokens =
                before != null && stamp != null && stamp.equals(before.stamp) ? before.byDigest : byDigest(read());
        seen = new Seen(now, stamp, tokens);
        return tokens;
    }

    private @Nullable Stamp stamp() throws IOException {
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(file.fileKey(), file.lastModifiedTime(), file.size());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static Map<String, Token> byDigest(List<Token> tokens) {
        Map<String, Token> all = new LinkedHashMap<>();
        tokens.forEach(token -> all.put(token.digest(), token));
        return all;
    }

    /**
     * Adds a token.
     *
     * @return its secret, which can't be had again
     * @throws IllegalStateException if there is one with this name
     */
    public String add(String name, Access access, @Nullable Duration lasts) throws IOException {
        String secret = secret();
        change(tokens -> {
            if (tokens.stream().anyMatch(token -> token.name().equals(name))) {
                throw new IllegalStateException("there is a token '" + name + "' already");
            }
            return with(tokens, name, secret, access, lasts);
        });
        return secret;
    }

    /**
     * Where there is no file yet, makes it, with a first token that may do everything.
     *
     * @param kept the file that gets its secret
     * @return whether it was made now
     */
    public boolean begin(String name, Path kept) throws IOException {
        if (Files.exists(path)) {
            // A server that only reads needs no more than to read.
            return false;
        }
        String secret = secret();
        return change(tokens -> {
            if (Files.exists(path)) {
                return tokens;
            }
            // The secret first: a token whose secret nobody has is of no use.
            replace(kept, secret + "\n");
            return with(tokens, name, secret, Access.ALL, null);
        });
    }

    /** Ends a token. Returns whether there was one. */
    public boolean revoke(String name) throws IOException {
        return change(tokens ->
                tokens.stream().filter(token -> !token.name().equals(name)).toList());
    }

    /** A random key that all servers with this file share. It lies beside the file, for its user alone. */
    public byte[] key() throws IOException {
        return locked(() -> {
            Path file = target();
            Path kept = file.resolveSibling(file.getFileName() + ".key");
            if (!Files.exists(kept)) {
                replace(kept, Base64.getEncoder().encodeToString(random()) + "\n");
            }
            requireNobodyElse(kept, "rwxrwx", "forge sign-ins");
            try {
                byte[] key = Base64.getDecoder().decode(Files.readString(kept).strip());
                if (key.length == SECRET_BYTES) {
                    return key;
                }
            } catch (IllegalArgumentException e) {
                // As below.
            }
            throw new IOException(kept + " is no key; remove it, and start the server again: it makes a new one");
        });
    }

    private List<Token> with(List<Token> tokens, String name, String secret, Access access, @Nullable Duration lasts) {
        Instant now = clocks.now().wall().truncatedTo(ChronoUnit.SECONDS);
        List<Token> all = new ArrayList<>(tokens);
        all.add(new Token(name, Token.digest(secret), access, now, lasts == null ? null : now.plus(lasts)));
        return all;
    }

    private static String secret() {
        return "idemtoken_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random());
    }

    private static byte[] random() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private interface Change {
        List<Token> of(List<Token> tokens) throws IOException;
    }

    /** Changes the file while no other process does. Returns whether there was a change. */
    private boolean change(Change how) throws IOException {
        return locked(() -> {
            List<Token> before = read();
            List<Token> after = how.of(before);
            if (after.equals(before)) {
                return false;
            }
            replace(target(), text(after));
            seen = null;
            return true;
        });
    }

    /** The file itself, where the path is a link to it. */
    private Path target() throws IOException {
        return Files.exists(path) ? path.toRealPath() : path;
    }

    private interface Work<T> {
        T make() throws IOException;
    }

    private <T> T locked(Work<T> work) throws IOException {
        Files.createDirectories(
                path.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        CHANGING.lock();
        try (FileChannel lock = FileChannel.open(
                path.resolveSibling(path.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                FOR_USER)) {
            lock.lock();
            return work.make();
        } finally {
            CHANGING.unlock();
        }
    }

    /** Puts a new file in the place of another at once, so that a reader sees one of both. */
    private static void replace(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), file.getFileName() + ".", "~", FOR_USER);
        try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private List<Token> read() throws IOException {
        String text;
        try {
            requireNobodyElse(path, "-w--w-", "add tokens");
            text = Files.readString(path);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        try {
            return list(members(Json.parse(text)).get("tokens")).stream()
                    .map(each -> token(members(each)))
                    .toList();
        } catch (JsonException | IllegalArgumentException | ClassCastException | DateTimeParseException e) {
            throw new IOException(path + " can't be read as a file of tokens: " + e.getMessage(), e);
        }
    }

    /** Refuses a file that its group or others may open. {@code permissions} are those of both. */
    private static void requireNobodyElse(Path file, String permissions, String why) throws IOException {
        Set<PosixFilePermission> others = PosixFilePermissions.fromString("---" + permissions);
        others.retainAll(Files.getPosixFilePermissions(file));
        if (!others.isEmpty()) {
            throw new IOException("others may open " + file + ", and so " + why + ": chmod 600 " + file);
        }
    }

    private static Map<?, ?> members(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            return members;
        }
        throw new IllegalArgumentException("an object is missing");
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> items) {
            return items;
        }
        throw new IllegalArgumentException("a list is missing");
    }

    private static Token token(Map<?, ?> from) {
        Object expires = from.get("expires");
        return new Token(
                text(from, "name"),
                text(from, "sha256"),
                Access.of(
                        list(from.get("rights")).stream().map(String::valueOf).toList(),
                        list(from.get("scopes")).stream().map(String::valueOf).toList()),
                Instant.parse(text(from, "made")),
                expires == null ? null : Instant.parse((String) expires));
    }

    private static String text(Map<?, ?> from, String name) {
        if (from.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("'" + name + "' is missing");
    }

    private static String text(List<Token> tokens) {
        return Json.writePlain(Map.of(
                        "tokens",
                        tokens.stream()
                                .map(token -> new Answer()
                                        .with("name", token.name())
                                        .with("sha256", token.digest())
                                        .with("rights", token.access().rightWords())
                                        .with("scopes", token.access().scopeTexts())
                                        .with("made", token.made())
                                        .with("expires", token.expires())
                                        .members())
                                .toList()))
                + "\n";
    }
}
