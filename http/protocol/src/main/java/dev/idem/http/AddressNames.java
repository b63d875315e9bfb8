package dev.idem.http;

import dev.idem.Address;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The scope and the operation of a request. A name that an address can't hold is replaced by its digest. */
final class AddressNames {
    private static final String DIGEST = "sha256:";
    private static final String SCOPE = "http:";
    private static final String PARTS = "//";
    private static final String CLIENT_SCOPE = "http-client:";
    private static final Pattern OPERATION = Pattern.compile("[A-Z]+ .+");
    private static final int LONGEST = 255;

    private AddressNames() {}

    /**
     * {@code http:ann} for a caller of one part, {@code http://acme/ann} for one of several. The scope of anonymous callers
     * is {@code http:} alone.
     */
    static String scope(List<String> caller) {
        if (caller.size() > 1) {
            return named(
                    SCOPE + PARTS,
                    caller.stream()
                            .map(part -> part.replace("%", "%25").replace("/", "%2F"))
                            .collect(Collectors.joining("/")));
        }
        String name = caller.get(0);
        // Else a name could pass for the parts of another caller.
        return name.startsWith(PARTS) ? SCOPE + digest(name) : named(SCOPE, name);
    }

    /** {@code http-client:} and the host that a request is sent to. */
    static String clientScope(String host) {
        return named(CLIENT_SCOPE, host);
    }

    /** The method and the pattern of the route: {@code POST /orders/{id}}. */
    static String operation(Request request) {
        return named(request.method() + " ", request.route());
    }

    /** Whether an address has the form that these names give. */
    static boolean isRequest(Address address) {
        return (address.scope().startsWith(SCOPE) || address.scope().startsWith(CLIENT_SCOPE))
                && OPERATION.matcher(address.operation()).matches();
    }

    private static String named(String prefix, String name) {
        // A name that looks like a digest is digested too: else it could pass for the digest of another name.
        boolean fits = prefix.length() + name.length() <= LONGEST
                && !name.startsWith(DIGEST)
                && StandardCharsets.UTF_8.newEncoder().canEncode(name)
                && name.chars().noneMatch(Character::isISOControl);
        return prefix + (fits ? name : digest(name));
    }

    private static String digest(String name) {
        return DIGEST + hex(sha256().digest(bytes(name)));
    }

    /** Two bytes for each character, so that half a surrogate pair counts as what it is. */
    private static byte[] bytes(String text) {
        ByteBuffer characters = ByteBuffer.allocate(text.length() * 2);
        characters.asCharBuffer().put(text);
        return characters.array();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256; this one does not", e);
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
