package dev.idem.langchain4j;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A LangChain4j that is too old; the build has put its jars beside the classes. */
class TooOldTest {
    @Test
    void aLangchain4jThatIsTooOldIsRefusedWithASentence() throws Exception {
        List<Path> old;
        try (Stream<Path> jars = Files.list(Path.of("target", "too-old"))) {
            old = jars.toList();
        }
        try (Idem idem = Idem.open("memory:");
                Apart apart = new Apart(old)) {
            Method of = apart.loadClass(IdemTools.class.getName()).getMethod("of", Idem.class, Object[].class);

            assertThatThrownBy(() -> of.invoke(null, idem, new Object[] {new Object()}))
                    .rootCause()
                    .isInstanceOf(NoSuchMethodException.class);
            assertThatThrownBy(() -> of.invoke(null, idem, new Object[] {new Object()}))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("idem-langchain4j needs LangChain4j 1.17.0 or newer")
                    .hasMessageContaining("the one on the class path is older: langchain4j-1.16")
                    .hasMessageEndingWith("Set the version of dev.langchain4j:langchain4j to 1.17.0 or newer");
        }
    }

    @Test
    void noLangchain4jAtAllIsToldAsWell() throws Exception {
        try (Apart apart = new Apart(List.of())) {
            assertThatThrownBy(() -> IdemTools.LANGCHAIN4J.check(apart))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("there is none on the class path");
        }
    }

    /** The adapter, with another LangChain4j than that of the class path. */
    private static final class Apart extends URLClassLoader {
        Apart(List<Path> jars) throws IOException {
            super(urls(jars), TooOldTest.class.getClassLoader());
        }

        private static URL[] urls(List<Path> jars) throws IOException {
            List<URL> urls = new ArrayList<>();
            urls.add(IdemTools.class.getProtectionDomain().getCodeSource().getLocation());
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.langchain4j.") && !name.startsWith("dev.idem.langchain4j.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        public URL getResource(String name) {
            return findResource(name);
        }
    }
}
