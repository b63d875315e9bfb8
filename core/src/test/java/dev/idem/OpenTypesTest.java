package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A type that nothing could read back is refused before the action runs, not at the first duplicate. */
class OpenTypesTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        idem.close();
    }

    /** A record in a module of its own. */
    private Class<?> receipt(String directive) throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources/com/example/shop"));
        Path info = folder.resolve("sources/module-info.java");
        Path receipt = sources.resolve("Receipt.java");
        Path classes = folder.resolve("classes");
        Files.writeString(info, "module com.example.shop { " + directive + " }");
        Files.writeString(receipt, "package com.example.shop; public record Receipt(String id) {}");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), info.toString(), receipt.toString()))
                .isZero();
        ModuleLayer boot = ModuleLayer.boot();
        Configuration found =
                boot.configuration().resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("com.example.shop"));
        return boot.defineModulesWithOneLoader(found, ClassLoader.getSystemClassLoader())
                .findLoader("com.example.shop")
                .loadClass("com.example.shop.Receipt");
    }

    private void assertRefused(Operation<?> operation, TypeRef<?> type, String... told) {
        assertThatThrownBy(() -> operation.returning(type).attempt(call -> {
                    runs.incrementAndGet();
                    return null;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(told);
        assertThat(runs).hasValue(0);
    }

    private Operation<@Nullable Object> charge() {
        return idem.operation("charge").key("order-7");
    }

    @Test
    void aRecordOfAPackageThatIsNotOpenIsRefusedWithTheLineToAdd() throws Exception {
        assertRefused(
                charge(),
                TypeRef.of(receipt("")),
                "the record com.example.shop.Receipt is not accessible to Idem",
                "Add \"opens com.example.shop",
                "to the module-info.java of com.example.shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"opens com.example.shop;", "exports com.example.shop;"})
    void aRecordOfAnOpenPackageIsReplayed(String directive) throws Exception {
        Class<?> receipt = receipt(directive);
        Object first = receipt.getConstructor(String.class).newInstance("ch_1");

        charge().returning(TypeRef.of(receipt)).run(call -> first);

        assertThat(charge().returning(TypeRef.of(receipt)).run(call -> "never")).isEqualTo(first);
    }

    record Page<T>(List<T> items) {}

    record Shelf(@SuppressWarnings("rawtypes") Page page) {}

    record Tagged<T>(String id) {}

    private static <T> TypeRef<List<T>> listOf() {
        return new TypeRef<List<T>>() {};
    }

    static Stream<TypeRef<?>> incomplete() {
        return Stream.of(
                TypeRef.of(Page.class),
                TypeRef.of(Page[].class),
                TypeRef.of(Shelf.class),
                listOf(),
                new TypeRef<Map<String, Page<Thread>>>() {},
                new TypeRef<List<? extends Thread>>() {});
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void aGenericRecordWithoutItsArgumentsIsRefused(TypeRef<?> type) {
        assertRefused(charge(), type, "could not be replayed");
    }

    static Stream<TypeRef<?>> complete() {
        return Stream.of(
                new TypeRef<Page<String>>() {},
                new TypeRef<Page<?>>() {},
                new TypeRef<Page<Page<String>>>() {},
                new TypeRef<List<? extends String>>() {},
                TypeRef.of(Tagged.class));
    }

    @ParameterizedTest
    @MethodSource("complete")
    void allElseIsTaken(TypeRef<?> type) {
        assertThat(charge().returning(type).attempt(call -> null)).isInstanceOf(Outcome.Done.class);
    }

    /** Without a declared type a result is read back as a map, so nothing is missing. */
    @Test
    void aGenericRecordCanBeTheResultWhereNoTypeIsDeclared() {
        charge().run(call -> new Page<>(List.of("a")));

        assertThat(charge().run(call -> "never")).isEqualTo(Map.of("items", List.of("a")));
    }
}
