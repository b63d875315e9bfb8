package dev.idem.redis;

import dev.idem.entry.Address;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an entry is about: the operation around it and its labels. Nothing at all where there is neither. */
record SubjectSegment(@Nullable Address parent, Map<String, String> labels) {
    private static final byte[] EMPTY = new byte[0];
    private static final SubjectSegment NOTHING = new SubjectSegment(null, Map.of());

    byte[] pack() {
        if (parent == null && labels.isEmpty()) {
            return EMPTY;
        }
        FieldWriter writer = new FieldWriter(128);
        if (parent == null) {
            writer.text(null);
        } else {
            writer.text(parent.scope()).text(parent.operation()).text(parent.key());
        }
        new TreeMap<>(labels).forEach((name, value) -> writer.text(name).text(value));
        return writer.bytes();
    }

    static SubjectSegment unpack(FieldReader reader) {
        if (reader.atEnd()) {
            return NOTHING;
        }
        String scope = reader.textOrNull();
        Address parent = scope == null ? null : new Address(scope, reader.text(), reader.text());
        Map<String, String> labels = new LinkedHashMap<>();
        while (!reader.atEnd()) {
            labels.put(reader.text(), reader.text());
        }
        return new SubjectSegment(parent, labels);
    }
}
