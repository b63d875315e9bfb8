package dev.idem.server;

import dev.idem.Json;
import dev.idem.JsonException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the operator of a server says about operations, for the people who look at them: a title, a link to where the effect can be seen,
 * and the label that holds an amount.
 */
public final class Operations {
    /** Nothing about any operation. */
    public static final Operations NONE = new Operations(Map.of());

    private static final List<String> MEMBERS = List.of("title", "link", "amount", "currency");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern KNOWN = Pattern.compile("key|scope|operation|label:.+");
    private static final String HTTPS = "https://";

    private final Map<String, Map<String, String>> members;

    private Operations(Map<String, Map<String, String>> members) {
        this.members = members;
    }

    /** Reads an object with a member for each operation; throws {@link IllegalArgumentException} if something is wrong. */
    public static Operations read(String json) {
        Object value;
        try {
            value = Json.parse(json);
        } catch (JsonException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getMessage(), e);
        }
        Map<String, Map<String, String>> members = new LinkedHashMap<>();
        object("the file", value).forEach((name, each) -> members.put(name, operation(name, object(name, each))));
        return new Operations(members);
    }

    private static Map<String, @Nullable Object> object(String name, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            throw new IllegalArgumentException(
                    name + " must be an object, such as {\"charge\": {\"title\": \"Charge\"}}");
        }
        Map<String, @Nullable Object> texts = new LinkedHashMap<>();
        members.forEach((key, each) -> texts.put(String.valueOf(key), each));
        return texts;
    }

    private static Map<String, String> operation(String name, Map<String, @Nullable Object> members) {
        Map<String, String> texts = new LinkedHashMap<>();
        members.forEach((member, value) -> {
            String where = name + "." + member;
            if (!MEMBERS.contains(member)) {
                throw new IllegalArgumentException(
                        where + " is not known; an operation has " + String.join(", ", MEMBERS));
            } else if (!(value instanceof String text) || text.isBlank()) {
                throw new IllegalArgumentException(where + " must be a text");
            } else {
                texts.put(member, text);
            }
        });
        String link = texts.get("link");
        String currency = texts.get("currency");
        if (link != null) {
            requireLink(name + ".link", link);
        }
        if (currency != null && (!currency.matches("[A-Z]{3}") || !texts.containsKey("amount"))) {
            throw new IllegalArgumentException(name + ".currency is a code such as USD, and goes with the amount");
        }
        return texts;
    }

    /** A link leads to one host, over https, whatever an entry holds: its fields are percent-encoded. */
    private static void requireLink(String where, String link) {
        Matcher placeholders = PLACEHOLDER.matcher(link);
        while (placeholders.find()) {
            if (!KNOWN.matcher(placeholders.group(1)).matches()) {
                throw new IllegalArgumentException(where + " has " + placeholders.group()
                        + ", which is not known; there are {key}, {scope}, {operation} and {label:NAME}");
            }
        }
        int path = link.indexOf('/', HTTPS.length());
        boolean fixed = link.startsWith(HTTPS) && path > 0 && link.lastIndexOf('{', path) < 0;
        if (!fixed || !isUrl(placeholders.replaceAll("x"))) {
            throw new IllegalArgumentException(
                    where + " must be https://, a host, and a path, with fields behind the host only:"
                            + " https://dashboard.stripe.com/search?query={key}");
        }
    }

    private static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            return url.getHost() != null && url.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** The members of each operation. */
    Map<String, Map<String, String>> members() {
        return members;
    }
}
