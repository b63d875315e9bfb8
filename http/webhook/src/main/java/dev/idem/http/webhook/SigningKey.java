package dev.idem.http.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A secret or private key that makes signatures of one scheme: the counterpart of {@link Secret}. */
final class SigningKey {
    /** The bytes that PKCS#8 puts before the 32 bytes of an Ed25519 key. */
    private static final String ED25519_HEAD = "302e020100300506032b657004220420";

    private static final int ED25519_BYTES = 32;

    /** A key pair for tests. Everybody knows it. */
    private static final String TEST_ECDSA =
            "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAEKuk3LgO/tyMmGnlgmGhctw5S62fcVnilQPxj0sCKZw==";

    private static final String TEST_ECDSA_PUBLIC = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEE2K3wdzQbKHHT0lYFZbS5E7ZYLfU"
            + "K3Of09/kVn9Y6BEKf1OO1rw++YjnvqVredzkiS1L7vDsnnR3dIoqauhv9Q==";

    private final Sender sender;
    private final Scheme scheme;
    private final String text;
    private final @Nullable PrivateKey privateKey;

    private SigningKey(Sender sender, Scheme scheme, String text, @Nullable PrivateKey privateKey) {
        this.sender = sender;
        this.scheme = scheme;
        this.text = text;
        this.privateKey = privateKey;
    }

    static SigningKey forTests(Sender sender) {
        Algorithm algorithm = sender.schemes.get(sender.schemes.size() - 1).algorithm();
        boolean encoded = sender.schemes.get(sender.schemes.size() - 1).base64Secret();
        return of(
                sender,
                switch (algorithm) {
                    case ECDSA_SHA256 -> TEST_ECDSA;
                    case ED25519 -> Signer.TEST_WHSK.substring("whsk_".length());
                    default -> encoded ? Signer.TEST_WHSEC : Signer.TEST_SECRET;
                });
    }

    /**
     * Reads a secret.
     *
     * @throws IllegalArgumentException if it does not have the sender's form; the message does not show it
     */
    static SigningKey of(Sender sender, String secret) {
        Scheme scheme = sender.schemes.stream()
                .filter(each -> secret.startsWith(each.signingPrefix()))
                .findFirst()
                .orElseThrow();
        if (!scheme.algorithm().isPublicKey()) {
            if (secret.startsWith("whpk_") && scheme.base64Secret()) {
                throw new IllegalArgumentException("whpk_ begins a public key, which can't sign; give whsk_ or whsec_");
            }
            Secret.of(sender, secret);
            return new SigningKey(sender, scheme, secret, null);
        }
        String value = secret.substring(scheme.signingPrefix().length());
        try {
            byte[] bytes = Base64.getDecoder().decode(value);
            return new SigningKey(sender, scheme, value, privateKey(scheme.algorithm(), bytes));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            // The cause may show the key.
            throw new IllegalArgumentException(
                    "the secret is no private key that signs for " + sender.name() + "; give "
                            + (scheme.algorithm() == Algorithm.ED25519
                                    ? scheme.signingPrefix()
                                            + " and base64 of the 32 bytes of the key, or of these and its public key"
                                    : "base64 of the key in its PKCS#8 form, as openssl pkcs8 -topk8 -nocrypt -outform DER | base64"
                                            + " writes it"));
        }
    }

    private static PrivateKey privateKey(Algorithm algorithm, byte[] bytes) throws GeneralSecurityException {
        boolean ed25519 = algorithm == Algorithm.ED25519;
        if (ed25519 && bytes.length != ED25519_BYTES && bytes.length != 2 * ED25519_BYTES) {
            throw new IllegalArgumentException("not an Ed25519 key");
        }
        byte[] pkcs8 = ed25519
                ? HexFormat.of().parseHex(ED25519_HEAD + HexFormat.of().formatHex(Arrays.copyOf(bytes, ED25519_BYTES)))
                : bytes;
        return KeyFactory.getInstance(ed25519 ? "Ed25519" : "EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    /** The secret or public key of the endpoint; null if a private key does not hold its public key. */
    @Nullable
    String endpointSecret() {
        if (privateKey == null) {
            return text;
        } else if (scheme.algorithm() == Algorithm.ECDSA_SHA256) {
            return text.equals(TEST_ECDSA) ? TEST_ECDSA_PUBLIC : null;
        }
        byte[] both = Base64.getDecoder().decode(text);
        return both.length == ED25519_BYTES
                ? null
                : scheme.secretPrefix()
                        + Base64.getEncoder().encodeToString(Arrays.copyOfRange(both, ED25519_BYTES, both.length));
    }

    /** The item of the signature header. */
    String sign(List<byte[]> content) {
        if (scheme.algorithm() == Algorithm.TOKEN) {
            return scheme.prefix() + text;
        }
        byte[] bytes = privateKey == null ? Secret.of(sender, text).mac(content) : signature(privateKey, content);
        return scheme.prefix()
                + (sender.hex
                        ? HexFormat.of().formatHex(bytes)
                        : Base64.getEncoder().encodeToString(bytes));
    }

    private byte[] signature(PrivateKey key, List<byte[]> content) {
        try {
            Signature signature = Signature.getInstance(scheme.algorithm().jdk);
            signature.initSign(key);
            for (byte[] piece : content) {
                signature.update(piece);
            }
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks " + scheme.algorithm().jdk, e);
        }
    }
}
