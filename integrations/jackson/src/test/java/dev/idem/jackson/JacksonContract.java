package dev.idem.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.idem.Address;
import dev.idem.Codec;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.TypeRef;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tests of a codec with Jackson, in either version, given or found. */
abstract class JacksonContract {
    private final AtomicInteger runs = new AtomicInteger();
    private final Idem idem = open();

    abstract Idem open();

    abstract Codec codec();

    @AfterEach
    void close() {
        idem.close();
    }

    /** Setters, a getter without a field, and a list of other beans. */
    public static class Receipt {
        private String id = "";
        private List<Line> lines = List.of();

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public List<Line> getLines() {
            return lines;
        }

        public void setLines(List<Line> lines) {
            this.lines = lines;
        }

        public long getTotal() {
            return lines.stream().mapToLong(line -> line.cents).sum();
        }
    }

    /** Without setters. */
    public static final class Line {
        final long cents;

        @JsonCreator
        public Line(@JsonProperty("cents") long cents) {
            this.cents = cents;
        }

        public long getCents() {
            return cents;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Card.class, name = "card"))
    public interface Payment {}

    public static final class Card implements Payment {
        public String last4 = "";
    }

    public static final class Cents {
        private final long value;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Cents(long value) {
            this.value = value;
        }

        @JsonValue
        public long value() {
            return value;
        }
    }

    /** Can be written, and nothing says how to make one again. */
    public static final class WriteOnly {
        private final String id;

        WriteOnly(String id, int unused) {
            this.id = id;
        }

        public String getId() {
            return id;
        }
    }

    public static class HoldsWriteOnly {
        public List<WriteOnly> all = List.of();
    }

    /** Has nothing that Jackson would write, and no constructor that it could call. */
    public static final class Closed {
        private final String id;

        Closed(String id) {
            this.id = id;
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /** Jackson could create one, but without its id. */
    public static final class Hidden {
        private String id = "";

        String id() {
            return id;
        }

        void id(String given) {
            id = given;
        }
    }

    public static class HoldsHidden {
        public Hidden hidden = new Hidden();
    }

    public static class RefersToClosed {
        public AtomicReference<Closed> closed = new AtomicReference<>();
    }

    public interface Shape {}

    public static class Drawing {
        public Shape shape = new Shape() {};
    }

    /** The mapper writes a part of it. */
    public static final class Secretive {
        public String id = "";

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String pin = "";

        @JsonIgnore
        public String note = "";
    }

    /** Is written under one name and read under another. */
    public static final class Renamed {
        private String id = "";

        @JsonProperty("written")
        public String written() {
            return id;
        }

        @JsonProperty("read")
        public void read(String given) {
            id = given;
        }
    }

    private static Receipt receipt() {
        Receipt receipt = new Receipt();
        receipt.setId("r1");
        receipt.setLines(List.of(new Line(4200), new Line(1)));
        return receipt;
    }

    private Operation<Object> charge() {
        return idem.operation("charge").key("order-7");
    }

    @Test
    void aBeanIsReplayed() throws Exception {
        for (int call = 0; call < 2; call++) {
            charge().returning(Receipt.class).attempt(running -> {
                runs.incrementAndGet();
                return receipt();
            });
        }
        Receipt replayed =
                charge().returning(Receipt.class).attempt(running -> receipt()).value();

        assertThat(runs).hasValue(1);
        assertThat(replayed.getId()).isEqualTo("r1");
        assertThat(replayed.getTotal()).isEqualTo(4201);
    }

    /** As docs/configuration.md says: what the mapper does not write is not kept, and the first caller has the whole value. */
    @Test
    void aDuplicateGetsWhatTheMapperWritesAndTheFirstCallerTheWholeValue() {
        Secretive whole = new Secretive();
        whole.id = "r1";
        whole.pin = "4711";
        whole.note = "by hand";
        Secretive first =
                charge().returning(Secretive.class).attempt(running -> whole).value();
        Secretive replayed =
                charge().returning(Secretive.class).attempt(running -> whole).value();

        assertThat(first).isSameAs(whole);
        assertThat(List.of(replayed.id, replayed.pin, replayed.note)).containsExactly("r1", "", "");

        Renamed renamed = new Renamed();
        renamed.read("r1");
        Operation<Renamed> other = idem.operation("rename").key("order-7").returning(Renamed.class);
        assertThat(other.attempt(running -> renamed).value()).isSameAs(renamed);
        assertThat(other.attempt(running -> renamed).value().written()).isEmpty();
    }

    @Test
    void aGenericTypeWithBeansIsReplayed() {
        TypeRef<Map<String, Receipt>> type = new TypeRef<>() {};
        charge().returning(type).attempt(running -> Map.of("a", receipt()));

        assertThat(charge().returning(type)
                        .attempt(running -> Map.<String, Receipt>of())
                        .value())
                .hasEntrySatisfying("a", one -> assertThat(one.getTotal()).isEqualTo(4201));
    }

    @Test
    void aBeanOfAnUndeclaredTypeComesBackAsPlainJson() {
        charge().attempt(running -> new Line(7));

        assertThat(charge().attempt(running -> "").value())
                .isInstanceOfSatisfying(
                        Map.class, plain -> assertThat(plain.get("cents")).hasToString("7"));
    }

    @Test
    void declaredSubtypesAndSingleValuesAreReplayed() {
        assertThat(codec().handles(Payment.class)).isTrue();
        assertThat(codec().handles(Cents.class)).isTrue();
        Card card = new Card();
        card.last4 = "4242";
        charge().returning(Payment.class).attempt(running -> card);

        assertThat(charge().returning(Payment.class)
                        .attempt(running -> new Card())
                        .value())
                .isInstanceOfSatisfying(Card.class, one -> assertThat(one.last4).isEqualTo("4242"));
    }

    @Test
    void aTypeThatCanNotBeReadBackIsRefusedBeforeTheActionRuns() {
        for (Class<?> type : List.of(WriteOnly.class, HoldsWriteOnly.class, Shape.class, Drawing.class, Thread.class)) {
            assertRefused(type, "could not be replayed");
        }
    }

    @Test
    void aTypeThatWouldBeWrittenWithoutItsFieldsIsRefusedBeforeTheActionRuns() {
        for (Class<?> type : List.of(Closed.class, Hidden.class, HoldsHidden.class, RefersToClosed.class)) {
            assertRefused(type, "Jackson finds nothing to write in");
        }
    }

    /** Jackson would write the state of the future: {"cancelled":false,"done":false …}. */
    @Test
    void aFutureIsNoResult() {
        assertThat(idem.operation("charge")
                        .key("order-7")
                        .attempt(running -> new CompletableFuture<String>())
                        .failure())
                .hasMessageContaining("returned a CompletableFuture");
        assertThatThrownBy(() -> idem.operation("charge").returning(new TypeRef<List<CompletableFuture<String>>>() {}))
                .hasMessageContaining("CompletableFuture");
    }

    private void assertRefused(Class<?> type, String why) {
        assertThat(codec().handles(type)).as("%s", type).isFalse();
        assertThatThrownBy(() -> charge().returning(type).attempt(running -> {
                    runs.incrementAndGet();
                    return null;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
        assertThat(runs).hasValue(0);
        assertThat(idem.find(new Address("default", "charge", "order-7"))).isEmpty();
    }
}
