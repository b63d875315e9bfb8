package dev.idem.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final List<String> WRITTEN = List.of("", "n", "ü", "\"", "\u0001", "🙂", "n".repeat(64));
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

            Layout layout = Layout.of(names.toArray(String[]::new));
            SortedMembers members = new SortedMembers(layout, names.toArray());

            assertThat(members.keySet()).containsExactlyElementsOf(sorted);
            assertThat(members.values()).containsExactlyElementsOf(sorted);
            assertThat(names).allSatisfy(name -> assertThat(members.get(name)).isEqualTo(name));
            assertThat(members.containsKey("not one of them")).isFalse();
            assertThat(layout.duplicate()).isNull();
        });
    }

    /** The second time a layout is met its names are prepared, from the third on they are only copied. */
    @Test
    void anObjectIsWrittenTheSameHoweverOftenItsLayoutWasMet() {
        Seeded.times(500, random -> {
            Map<String, Object> members = new LinkedHashMap<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                members.put(WRITTEN.get(random.nextInt(WRITTEN.size())) + random.nextInt(30), i);
            }
            String expected = new TreeMap<>(members)
                    .entrySet().stream()
                            .map(member -> JsonWriter.quoted(member.getKey()) + ":" + member.getValue())
                            .collect(Collectors.joining(",", "{", "}"));

            for (int i = 0; i < 4; i++) {
                assertThat(CanonicalJson.of(members)).isEqualTo(expected);
            }
        });
    }

    /** A name that is half a character is refused however often it comes. */
    @Test
    void whatIsWrongWithANameIsNotForgotten() {
        Map<String, Object> half = Map.of("half \ud83d", 1);
        Map<Object, Object> twice = new LinkedHashMap<>(Map.of(1, "one"));
        twice.put("1", "one");

        for (int i = 0; i < 3; i++) {
            CanonicalJson.ofPlain(half);
            assertThatThrownBy(() -> CanonicalJson.of(half)).hasMessageContaining("lone surrogate");
            assertThatThrownBy(() -> CanonicalJson.of(twice)).hasMessageContaining("keep one");
        }
    }

    /** They have the same length, first and last name, so they take each other's place among those remembered. */
    @Test
    void layoutsThatTakeEachOthersPlaceAreNotMixedUp() {
        Map<String, Integer> one = new LinkedHashMap<>();
        one.put("a", 1);
        one.put("b", 2);
        one.put("z", 3);
        Map<String, Integer> other = new LinkedHashMap<>();
        other.put("a", 1);
        other.put("c", 2);
        other.put("z", 3);
        Map<String, Integer> another = new LinkedHashMap<>();
        another.put("a", 1);
        another.put("zz", 2);
        another.put("z", 3);

        for (int i = 0; i < 5; i++) {
            for (int again = 0; again < i; again++) {
                assertThat(CanonicalJson.of(one)).isEqualTo("{\"a\":1,\"b\":2,\"z\":3}");
            }
            assertThat(CanonicalJson.of(other)).isEqualTo("{\"a\":1,\"c\":2,\"z\":3}");
            assertThat(CanonicalJson.of(another)).isEqualTo("{\"a\":1,\"z\":3,\"zz\":2}");
        }
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

            assertThat(Layout.of(names.toArray(String[]::new)).duplicate()).isEqualTo(twice);
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
