package dev.idem.http.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A secret or public key that checks signatures of one scheme. */
final class Secret {
    /** The bytes that X.509 puts before the 32 bytes of an Ed25519 key. */
    private static final byte[] ED25519_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final Scheme scheme;
    private final boolean hex;
    private final byte[] bytes;
    private final @Nullable PublicKey publicKey;

    private Secret(Scheme scheme, boolean hex, byte[] bytes, @Nullable PublicKey publicKey) {
        this.scheme = scheme;
        this.hex = hex;
        this.bytes = bytes;
        this.publicKey = publicKey;
    }

    /**
     * Reads a secret.
     *
     * @throws IllegalArgumentException if it does not have the sender's form; the message does not show it
     */
    static Secret of(Sender sender, String text) {
        if (text.isBlank() || !text.equals(text.strip())) {
            throw new IllegalArgumentException("a secret of " + sender.name()
                    + " is empty or has white space at its ends; give it as the sender shows it");
        }
        Scheme scheme = sender.schemes.stream()
                .filter(each -> text.startsWith(each.secretPrefix()))
                .findFirst()
                .orElseThrow();
        String value = text.substring(scheme.secretPrefix().length());
        try {
            byte[] bytes =
                    scheme.base64Secret() ? Base64.getDecoder().decode(value) : value.getBytes(StandardCharsets.UTF_8);
            PublicKey key = scheme.algorithm().isPublicKey() ? publicKey(scheme.algorithm(), bytes) : null;
            return new Secret(scheme, sender.hex, bytes, key);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            // The cause may show the secret.
            throw new IllegalArgumentException("a secret of " + sender.name() + " is not "
                    + (scheme.algorithm().isPublicKey() ? "a public key" : "text")
                    + " in base64; give it as the sender shows it");
        }
    }

    private static PublicKey publicKey(Algorithm algorithm, byte[] bytes) throws GeneralSecurityException {
        boolean ed25519 = algorithm == Algorithm.ED25519;
        if (ed25519 && bytes.length != 32) {
            throw new IllegalArgumentException("not an Ed25519 key");
        }
        byte[] x509 = ed25519 ? HexFormat.of().parseHex(hex(ED25519_HEAD) + hex(bytes)) : bytes;
        return KeyFactory.getInstance(ed25519 ? "Ed25519" : "EC").generatePublic(new X509EncodedKeySpec(x509));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The items of the signature header that this secret can check, decoded. What can't be decoded is left out. */
    List<byte[]> signatures(List<String> items) {
        return items.stream()
                .filter(item -> item.startsWith(scheme.prefix()))
                .map(item -> decode(item.substring(scheme.prefix().length())))
                .filter(Objects::nonNull)
                .toList();
    }

    private byte @Nullable [] decode(String value) {
        if (value.isEmpty()) {
            return null;
        }
        try {
            if (scheme.algorithm() == Algorithm.TOKEN) {
                return value.getBytes(StandardCharsets.UTF_8);
            }
            return hex ? HexFormat.of().parseHex(value) : Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException wrongEncoding) {
            return null;
        }
    }

    /** Whether one of the signatures is right. Takes as long for a wrong one as for a right one. */
    boolean signed(List<byte[]> content, List<byte[]> signatures) {
        byte[] expected = scheme.algorithm().isHmac() ? mac(content) : bytes;
        boolean right = false;
        for (byte[] signature : signatures) {
            right |= publicKey == null
                    ? MessageDigest.isEqual(expected, signature)
                    : verifies(publicKey, content, signature);
        }
        return right;
    }

    byte[] mac(List<byte[]> content) {
        try {
            Mac mac = Mac.getInstance(scheme.algorithm().jdk);
            mac.init(new SecretKeySpec(bytes, scheme.algorithm().jdk));
            content.forEach(mac::update);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks " + scheme.algorithm().jdk, e);
        }
    }

    private boolean verifies(PublicKey key, List<byte[]> content, byte[] given) {
        try {
            Signature signature = Signature.getInstance(scheme.algorithm().jdk);
            signature.initVerify(key);
            for (byte[] piece : content) {
                signature.update(piece);
            }
            return signature.verify(given);
        } catch (SignatureException notASignature) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks " + scheme.algorithm().jdk, e);
        }
    }
}
