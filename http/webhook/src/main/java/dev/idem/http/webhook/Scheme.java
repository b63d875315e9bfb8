package dev.idem.http.webhook;

/** One of the kinds of signature that a sender puts into its header; the secret decides which of them is checked. */
record Scheme(String secretPrefix, String prefix, Algorithm algorithm, boolean base64Secret) {
    /** The prefix of the secret that signs: Standard Webhooks marks private keys in another way than public ones. */
    String signingPrefix() {
        return secretPrefix.replace("whpk_", "whsk_");
    }
}
