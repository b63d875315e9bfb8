package dev.idem.lab;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A fault in a copy of a module's code, to see that a test of a quick build finds it. The test runs in this process,
 * with a class loader that prefers the copy.
 *
 * @param name a sentence about it
 * @param file under {@code src/main/java} or {@code src/main/resources}
 * @param right the text that is there, once
 * @param wrong the text in its place
 * @param tests the class of the test
 * @param test the method that runs, and must fail; of a test with parameters, one run of it
 */
public record PlantedFault(String name, String file, String right, String wrong, Class<?> tests, String test) {
    /** Fails unless that test fails. */
    public void requireCaught() throws IOException {
        Ran ran = ran();
        if (ran.tests == 0) {
            throw new IllegalStateException("a quick build has no test " + test + " in " + tests);
        } else if (!ran.failing) {
            throw new AssertionError("'" + name + "' is not found by " + test);
        }
    }

    private Ran ran() throws IOException {
        try (TempFolder folder = new TempFolder(Path.of(System.getProperty("java.io.tmpdir")))) {
            plant(folder.path());
            try (OwnFirst loader = new OwnFirst(
                    List.of(folder.path(), Path.of("target", "classes"), Path.of("target", "test-classes")))) {
                return ran(loader);
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private void plant(Path into) throws IOException {
        boolean java = file.endsWith(".java");
        Path source = Path.of("src", "main", java ? "java" : "resources").resolve(file);
        String whole = Files.readString(source);
        int at = whole.indexOf(right);
        if (at < 0 || whole.indexOf(right, at + 1) >= 0) {
            throw new IllegalStateException(file + " has this not exactly once: " + right);
        }
        Path copy = into.resolve(file);
        Files.createDirectories(copy.resolveSibling(""));
        Files.writeString(copy, whole.substring(0, at) + wrong + whole.substring(at + right.length()));
        if (java) {
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            String[] words = {"-proc:none", "-nowarn", "-cp", path, "-d", into.toString(), copy.toString()};
            if (ToolProvider.getSystemJavaCompiler().run(null, null, null, words) != 0) {
                throw new IllegalStateException("the fault does not compile: " + name);
            }
        }
    }

    private Ran ran(ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            PostDiscoveryFilter named =
                    each -> FilterResult.includedIf(isNamed(each.getSource().orElse(null)));
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(loader, tests.getName()))
                    .filters(TagFilter.excludeTags("proof", "rules"), named)
                    .build();
            Ran ran = new Ran();
            LauncherFactory.create().execute(request, ran);
            return ran;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private boolean isNamed(@Nullable TestSource source) {
        return source instanceof MethodSource method && method.getMethodName().equals(test);
    }

    private final class Ran implements TestExecutionListener {
        int tests;
        boolean failing;

        @Override
        public void executionFinished(TestIdentifier each, TestExecutionResult result) {
            if (isNamed(each.getSource().orElse(null))) {
                tests += each.isTest() ? 1 : 0;
                failing |= result.getStatus() == TestExecutionResult.Status.FAILED;
            }
        }
    }

    /** Loads from its own folders what is there, and only the rest from the class path. */
    private static final class OwnFirst extends URLClassLoader {
        OwnFirst(List<Path> folders) {
            super(folders.stream().map(OwnFirst::url).toArray(URL[]::new), PlantedFault.class.getClassLoader());
        }

        private static URL url(Path folder) {
            try {
                return new File(folder.toAbsolutePath() + "/").toURI().toURL();
            } catch (IOException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return findResource(name.replace('.', '/') + ".class") == null
                        ? super.loadClass(name, resolve)
                        : findClass(name);
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            URL own = findResource(name);
            return own == null ? super.getResource(name) : own;
        }
    }
}
