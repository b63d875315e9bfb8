package dev.idem.http.webhook;

/**
 * The place of a value in a request.
 *
 * @param kind where to look
 * @param name the name of the header, the path of the JSON member, or the prefix of the item; empty for the digest
 */
public record Place(Kind kind, String name) {
    /** Where to look. */
    public enum Kind {
        /** A header. */
        HEADER,
        /** A member of the event's JSON. */
        MEMBER,
        /** An item of the signature header. */
        ITEM,
        /** The digest of the event. */
        DIGEST
    }

    /** The value of a header; the name in any case. */
    public static Place header(String name) {
        return new Place(Kind.HEADER, name);
    }

    /** A member of the event's JSON, with dots between the names: {@code data.object.id}. */
    public static Place member(String path) {
        return new Place(Kind.MEMBER, path);
    }

    /** The item of the signature header that begins so: {@code t=}. */
    public static Place item(String prefix) {
        return new Place(Kind.ITEM, prefix);
    }

    /**
     * The digest of the event's bytes, and of the public URL where the sender signs it. As a part of an id it keeps
     * events apart that share the rest of it.
     */
    public static Place digest() {
        return new Place(Kind.DIGEST, "");
    }
}
