package dev.idem.cli.batch;

import dev.idem.cli.recorded.Text;
import dev.idem.cli.syntax.UsageException;
import dev.idem.entry.Address;
import dev.idem.key.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of a batch.
 *
 * @param address made of the batch's name and the line; a line that stands there twice is two items
 */
record Item(int number, String line, Address address, List<String> words) {
    static final String OPERATION = "batch";
    private static final String PLACE = "{}";

    /** The lines that hold something. */
    static List<String> lines(byte[] bytes) {
        String text = Text.orNull(bytes);
        if (text == null || text.indexOf('\0') >= 0) {
            throw new UsageException("the lines are not UTF-8 text without zero bytes. Nothing was run");
        }
        return text.lines().filter(line -> !line.isBlank()).toList();
    }

    static List<Item> all(List<String> lines, String name, String scope, List<String> template) {
        Map<String, Integer> seen = new HashMap<>();
        List<Item> items = new ArrayList<>();
        for (String line : lines) {
            int occurrence = seen.merge(line, 1, Integer::sum);
            Key key = Key.derive(scope, OPERATION, Map.of("batch", name, "line", line), occurrence);
            items.add(new Item(
                    items.size() + 1, line, new Address(scope, OPERATION, key.value()), filled(template, line)));
        }
        return items;
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
