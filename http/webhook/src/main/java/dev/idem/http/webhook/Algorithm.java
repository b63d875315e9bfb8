package dev.idem.http.webhook;

/** How a sender proves that a request is its own. */
public enum Algorithm {
    /** HMAC with SHA-1. Only for senders that have nothing better. */
    HMAC_SHA1("HmacSHA1"),
    /** HMAC with SHA-256. */
    HMAC_SHA256("HmacSHA256"),
    /** HMAC with SHA-512. */
    HMAC_SHA512("HmacSHA512"),
    /** ECDSA with SHA-256. The secret is the sender's public key: base64 of its X.509 form. */
    ECDSA_SHA256("SHA256withECDSA"),
    /** Ed25519. The secret is the sender's public key: base64 of its 32 bytes. */
    ED25519("Ed25519"),
    /** The header holds the secret itself. It proves nothing about the body. */
    TOKEN(""),
    /** Nothing. Anybody who can reach the endpoint can send events. */
    NONE("");

    /** The name in the JDK. */
    final String jdk;

    Algorithm(String jdk) {
        this.jdk = jdk;
    }

    boolean isHmac() {
        return jdk.startsWith("Hmac");
    }

    boolean isPublicKey() {
        return this == ECDSA_SHA256 || this == ED25519;
    }
}
