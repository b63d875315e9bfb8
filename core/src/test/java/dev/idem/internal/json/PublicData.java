package dev.idem.internal.json;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the published test vectors, which are kept beside the repository; tests that need them are skipped without. */
public final class PublicData {
    private PublicData() {}

    public static Path folder(String name) {
        String given = System.getProperty("idem.data");
        Path data = given != null ? Path.of(given) : besideRepository();
        Path folder = data.resolve(name);
        assumeTrue(Files.isDirectory(folder), () -> "no public test data at " + folder + "; set -Didem.data");
        return folder;
    }

    private static Path besideRepository() {
        Path root = Path.of("").toAbsolutePath();
        for (Path up = root; up != null && Files.exists(up.resolve("pom.xml")); up = up.getParent()) {
            root = up;
        }
        return root.resolve("../shared/data").normalize();
    }
}
