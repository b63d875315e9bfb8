package com.anthropic.errors;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Stands in for the SDK's headers, whose names are found in any case. */
public record Headers(Map<String, String> kept) {
    public List<String> values(String name) {
        String found = kept.get(name.toLowerCase(Locale.ROOT));
        return found == null ? List.of() : List.of(found);
    }
}
