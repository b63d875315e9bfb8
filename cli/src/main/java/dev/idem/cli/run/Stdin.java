package dev.idem.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The stdin of a command: that of this program, or a private copy if the fingerprint had to read it first. */
public final class Stdin implements AutoCloseable {
    /** The bits of a file's mode that tell its type, as {@code stat} gives them. */
    private static final int TYPE = 0170000;

    private static final int FIFO = 0010000;
    private static final int FILE = 0100000;
    private static final int SOCKET = 0140000;

    private final Redirect handedOver;
    private final @Nullable Path copy;
    private final @Nullable String digest;

    private Stdin(Redirect handedOver, @Nullable Path copy, @Nullable String digest) {
        this.handedOver = handedOver;
        this.copy = copy;
        this.digest = digest;
    }

    /** Passed on unread. */
    public static Stdin untouched(Redirect handedOver) {
        return new Stdin(handedOver, null, null);
    }

    /** Read to its end and kept in a file that only this user can read, until the command has opened it. */
    public static Stdin copied(InputStream in) throws IOException {
        Path copy = Files.createTempFile("idem-stdin-", null);
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            try (OutputStream out = new DigestOutputStream(Files.newOutputStream(copy), sha)) {
                in.transferTo(out);
            }
            return new Stdin(Redirect.from(copy.toFile()), copy, HexFormat.of().formatHex(sha.digest()));
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw e;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /**
     * Whether there may be input: stdin is a pipe, a socket or a file that is not empty. A terminal and {@code /dev/null}
     * give none that a caller could have meant to be compared. Nothing is read.
     */
    boolean mayHoldInput() {
        try {
            Path path =
                    handedOver.type() == Redirect.Type.READ ? handedOver.file().toPath() : Path.of("/dev/stdin");
            return switch ((Integer) Files.getAttribute(path, "unix:mode") & TYPE) {
                case FIFO, SOCKET -> true;
                case FILE -> Files.size(path) > 0;
                default -> false;
            };
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    public Redirect handedOver() {
        return handedOver;
    }

    /** SHA-256 of the input, in hex; null if it was not read. */
    @Nullable
    public String digest() {
        return digest;
    }

    @Override
    public void close() {
        if (copy == null) {
            return;
        }
        try {
            Files.deleteIfExists(copy);
        } catch (IOException e) {
            // Only this user can read it, and the system cleans its folder.
            return;
        }
    }
}
