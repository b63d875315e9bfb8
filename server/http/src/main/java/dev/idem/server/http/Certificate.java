package dev.idem.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The server's certificate and its key, in PEM files.
 *
 * @param chain the certificate, followed by those that vouch for it
 * @param key an unencrypted PKCS#8 key
 */
public record Certificate(Path chain, Path key) {
    private static final System.Logger LOG = System.getLogger(Certificate.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
    /** Of a store that is in memory only. */
    private static final String PASSWORD = "memory";

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
    private static final List<String> KINDS = List.of("RSA", "EC", "Ed25519");

    /** Throws {@link IOException} if the files hold no certificate and its key. */
    public void require() throws IOException {
        var unused = read();
    }

    /** A context with what the files hold now. */
    SslContextFactory.Server context() throws IOException {
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setKeyStore(read());
        context.setKeyStorePassword(PASSWORD);
        return context;
    }

    /** Puts new certificates into a context from its start on. An old one stays while the new one can't be read. */
    LifeCycle.Listener renewing(SslContextFactory.Server context, Scheduler scheduler) throws IOException {
        List<FileTime> now = changed();
        return new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarted(LifeCycle started) {
                look(context, scheduler, now);
            }
        };
    }

    private void look(SslContextFactory.Server context, Scheduler scheduler, List<FileTime> before) {
        List<FileTime> seen = before;
        try {
            seen = changed();
            if (!seen.equals(before)) {
                renew(context);
            }
        } catch (Exception e) {
            LOG.log(System.Logger.Level.ERROR, "the new certificate is not used: " + e.getMessage());
        }
        List<FileTime> now = seen;
        scheduler.schedule(() -> look(context, scheduler, now), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes later connections use what the files hold now. */
    void renew(SslContextFactory.Server context) throws Exception {
        KeyStore found = read();
        context.reload(same -> context.setKeyStore(found));
    }

    private List<FileTime> changed() throws IOException {
        return List.of(Files.getLastModifiedTime(chain), Files.getLastModifiedTime(key));
    }

    private KeyStore read() throws IOException {
        try (InputStream in = Files.newInputStream(chain)) {
            var certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
            PrivateKey secret = privateKey();
            requireOne(secret, certificates.iterator().next().getPublicKey());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "idem",
                    secret,
                    PASSWORD.toCharArray(),
                    certificates.toArray(java.security.cert.Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IllegalArgumentException | NoSuchElementException e) {
            throw new IOException(chain + " and " + key + " are no certificate and its key: " + e.getMessage(), e);
        }
    }

    /** Without this check no client could connect, and no message would say why. */
    private void requireOne(PrivateKey secret, PublicKey shown) throws IOException, GeneralSecurityException {
        String algorithm = secret.getAlgorithm();
        Signature signature = Signature.getInstance(
                algorithm.startsWith("Ed") ? "EdDSA" : "SHA256with" + (algorithm.equals("EC") ? "ECDSA" : algorithm));
        signature.initSign(secret);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        if (!signature.verify(signed)) {
            throw new IOException(key + " is not the key of the certificate in " + chain);
        }
    }

    private PrivateKey privateKey() throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(Files.readString(key));
        if (!pem.find()) {
            throw new IOException(
                    key + " has no unencrypted PKCS#8 key; make one with: openssl pkcs8 -topk8 -nocrypt -in " + key
                            + " -out key.pem");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
        for (String kind : KINDS) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // It is of another kind.
            }
        }
        throw new IOException(key + " is a key of an unknown kind; use RSA, EC or Ed25519");
    }
}
