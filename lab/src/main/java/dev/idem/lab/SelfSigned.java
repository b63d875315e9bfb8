package dev.idem.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** Certificates that vouch for themselves, made with the JDK's own tool. */
public final class SelfSigned {
    private static final String PASSWORD = "changeit";

    private SelfSigned() {}

    /**
     * Makes a certificate for {@code localhost} and 127.0.0.1, and writes it and its key as PEM to {@code name.crt} and
     * {@code name.key}. Returns them, under that name.
     *
     * @param kind of the key: RSA or EC
     */
    public static KeyStore make(Path folder, String name, String kind) {
        return make(folder, name, kind, "dns:localhost,ip:127.0.0.1");
    }

    /** The same for other hosts, as keytool writes them. */
    public static KeyStore make(Path folder, String name, String kind, String hosts) {
        Path store = folder.resolve(name + ".p12");
        Path log = folder.resolve("keytool.log");
        try {
            Files.deleteIfExists(store);
            ProcessBuilder tool = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-J-XX:TieredStopAtLevel=1",
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    kind,
                    "-keysize",
                    kind.equals("RSA") ? "2048" : "256",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=" + hosts,
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD);
            int exit = tool.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("keytool ended with " + exit + ": " + Files.readString(log));
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            write(
                    folder.resolve(name + ".crt"),
                    "CERTIFICATE",
                    keys.getCertificate(name).getEncoded());
            write(
                    folder.resolve(name + ".key"),
                    "PRIVATE KEY",
                    keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
            return keys;
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Path file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }
}
