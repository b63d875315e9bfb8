package dev.idem.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SortedMembersTest {
    private static final char[] ALIKE = {0, 1, 'a', 'b', 0x7fff, 0x8000, 0xd83d, 0xfb33, 0xffff};

    /** Names that are alike at their start, or are the start of one another. */
    @Test
    void namesAreInTheOrderOfStringsWithTheirValues() {
        Seeded.times(2_000, random -> {
            Set<String> sorted = new TreeSet<>();
            int size = random.nextInt(40);
            while (sorted.size() < size) {
                sorted.add(name(random));
            }
            List<String> names = new ArrayList<>(sorted);
            Collections.shuffle(names, random);

            SortedMembers members = new SortedMembers(names.toArray(String[]::new), names.toArray());

            assertThat(members.keySet()).containsExactlyElementsOf(sorted);
            assertThat(members.values()).containsExactlyElementsOf(sorted);
            assertThat(members.duplicate()).isNull();
        });
    }

    @Test
    void namesThatAreTheSameAreTold() {
        Seeded.times(500, random -> {
            String twice = name(random);
            List<String> names = new ArrayList<>(List.of(twice, twice));
            for (int i = random.nextInt(40); i > 0; i--) {
                names.add(name(random) + "!" + i);
            }
            Collections.shuffle(names, random);

            SortedMembers members = new SortedMembers(names.toArray(String[]::new), names.toArray());

            assertThat(members.duplicate()).isEqualTo(twice);
        });
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            name.append(ALIKE[random.nextInt(ALIKE.length)]);
        }
        return name.toString();
    }
}
