package dev.idem.redis;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** Makes the driver's settings from ours. */
final class Clients {
    private static final String STORE = "PKCS12";

    private Clients() {}

    static JedisClientConfig config(RedisOptions options) {
        int timeout = Math.toIntExact(options.timeout().toMillis());
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .connectionTimeoutMillis(timeout)
                .socketTimeoutMillis(timeout)
                .database(options.database())
                // Old servers do not know the command, and restricted ACL users may not send it.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        if (options.user() != null) {
            config.user(options.user());
        }
        if (options.password() != null) {
            config.password(options.password());
        }
        if (options.tls()) {
            config.sslOptions(ssl(options.authority()));
        }
        return config.build();
    }

    /** The server's certificate is checked, and whether it was issued for the host in the URL. */
    private static SslOptions ssl(@Nullable Path authority) {
        SslOptions.Builder ssl = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        if (authority != null) {
            char[] password = UUID.randomUUID().toString().toCharArray();
            byte[] store = trusting(authority, password);
            ssl.trustStoreType(STORE).truststore(() -> new ByteArrayInputStream(store), password);
        }
        return ssl.build();
    }

    /** Converts PEM certificates into a key store, which the driver needs. */
    private static byte[] trusting(Path file, char[] password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(STORE);
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            store.store(bytes, password);
            return bytes.toByteArray();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "ca=" + file + " can't be read as certificates in PEM (" + e.getMessage() + ")", e);
        }
    }
}
