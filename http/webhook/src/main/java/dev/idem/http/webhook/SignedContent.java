package dev.idem.http.webhook;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bytes that a sender has signed, put together from a request without copying its body. */
final class SignedContent {
    private static final Pattern BODY_DIGEST = Pattern.compile("[?&]bodySHA256=([0-9a-fA-F]{64})(?=[&#]|$)");
    private static final Pattern AUTHORITY = Pattern.compile("^(http(s?)://[^/?#]*?)(:\\d+)?(?=[/?#]|$)");
    private static final byte[] NOTHING = {};

    private SignedContent() {}

    /**
     * The contents that the sender may have signed; none if this body can't be the signed one. A sender that signs forms
     * (Twilio) writes the port into the URL of some requests and leaves it out of others, whatever the URL that it was
     * given has.
     */
    static List<List<byte[]>> readings(Sender sender, WebhookRequest request, String time, String id) {
        String url = request.url() == null ? "" : request.url();
        Set<String> urls = new LinkedHashSet<>(List.of(url));
        Matcher authority = AUTHORITY.matcher(url);
        if (sender.content.contains("{form}") && authority.find()) {
            String rest = url.substring(authority.end());
            urls.add(authority.group(1) + rest);
            if (authority.group(3) == null) {
                urls.add(authority.group(1) + (authority.group(2).isEmpty() ? ":80" : ":443") + rest);
            }
        }
        return urls.stream()
                .map(each -> of(sender, request.at(each), time, id))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Null if the body can't be the one that was signed. */
    static @Nullable List<byte[]> of(Sender sender, WebhookRequest request, String time, String id) {
        String url = request.url() == null ? "" : request.url();
        List<byte[]> pieces = new ArrayList<>();
        for (String part : sender.content) {
            byte[] piece = switch (part) {
                case "{body}" -> request.body();
                case "{time}" -> utf8(time);
                case "{id}" -> utf8(id);
                case "{url}" -> utf8(url);
                case "{form}" -> form(url, request.body());
                default -> utf8(part);
            };
            if (piece == null) {
                return null;
            }
            pieces.add(piece);
        }
        return pieces;
    }

    /** A part of a form, of which each char is a byte. Bytes that are not UTF-8 would all become the same text. */
    private static String decoded(String part) throws CharacterCodingException {
        byte[] bytes = URLDecoder.decode(part, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** The fields in the order of their names, without separators; nothing where the signed URL has the body's digest. */
    private static byte @Nullable [] form(String url, byte[] body) {
        Matcher digest = BODY_DIGEST.matcher(url);
        if (digest.find()) {
            byte[] signed = HexFormat.of().parseHex(digest.group(1));
            return MessageDigest.isEqual(signed, Digests.sha256(body)) ? NOTHING : null;
        }
        // A repeated field counts once.
        TreeSet<String[]> fields = new TreeSet<>(Arrays::compare);
        for (String field : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
            int equals = field.indexOf('=');
            try {
                fields.add(new String[] {
                    decoded(equals < 0 ? field : field.substring(0, equals)),
                    decoded(equals < 0 ? "" : field.substring(equals + 1))
                });
            } catch (IllegalArgumentException | CharacterCodingException notAForm) {
                return null;
            }
        }
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field[0]).append(field[1]));
        return utf8(text.toString());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
