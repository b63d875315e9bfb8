package dev.idem.spi.browse;

import java.util.Set;

/**
 * The names of labels in use. Each of them can be asked for by {@link Query#withLabels}, which looks through all entries.
 *
 * @param all whether these are all names; false where only the newest entries were looked at
 */
public record LabelNames(Set<String> names, boolean all) {
    public LabelNames {
        names = Set.copyOf(names);
    }
}
