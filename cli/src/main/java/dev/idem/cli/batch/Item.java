package dev.idem.cli.batch;

import dev.idem.Address;
import dev.idem.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of a batch.
 *
 * @param number among the non-empty lines
 * @param address derived from the batch's name and the line; a repeated line is a second item
 * @param words the command for it
 */
record Item(int number, Address address, List<String> words) {
    static final String OPERATION = "batch";
    private static final String PLACE = "{}";

    /** Makes the items of one batch, in their order. */
    static final class Maker {
        private final String name;
        private final String scope;
        private final List<String> template;
        private final Map<String, Integer> seen = new HashMap<>();
        private int made;

        Maker(String name, String scope, List<String> template) {
            this.name = name;
            this.scope = scope;
            this.template = template;
        }

        Item make(String line) {
            int occurrence = seen.merge(line, 1, Integer::sum);
            Key key = Key.derive(scope, OPERATION, Map.of("batch", name, "line", line), occurrence);
            return new Item(++made, new Address(scope, OPERATION, key.value()), filled(template, line));
        }
    }

    private static List<String> filled(List<String> template, String line) {
        List<String> words = new ArrayList<>();
        boolean placed = false;
        for (String word : template) {
            placed |= word.contains(PLACE);
            words.add(word.replace(PLACE, line));
        }
        if (!placed) {
            words.add(line);
        }
        return words;
    }
}
