package dev.idem.cli.mcp;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.run.Executable;
import dev.idem.cli.syntax.UsageException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The words by which a host starts this program.
 *
 * @param words absolute paths, because hosts start servers from any folder and with another PATH
 */
record Launcher(List<String> words) {
    private static final Pattern JAR = Pattern.compile("idem-cli[^/\\\\]*\\.jar");
    private static final Pattern ENDING = Pattern.compile("\\.(exe|cmd|bat|sh)$");

    /** The launcher by which this process was started, else java with the jar that runs here. */
    static Launcher of(Surroundings around) {
        Path program = around.directory().resolve(around.program()).normalize();
        if (around.program().indexOf('/') >= 0 && Files.isExecutable(program)) {
            return new Launcher(List.of(program.toString()));
        }
        Path code = code();
        if (code.toString().endsWith(".jar")) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            return new Launcher(List.of(java, "-jar", code.toString()));
        }
        String found = Executable.find("idem", around.env());
        if (found == null) {
            throw new UsageException("the file of idem was not found; start it by its path");
        }
        return new Launcher(List.of(found));
    }

    private static Path code() {
        CodeSource source = Launcher.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? Path.of("") : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            return Path.of("");
        }
    }

    /**
     * The index of the word {@code mcp} in the command of a server; negative where it does not start a guard. Another
     * copy of this program is recognized by its name.
     */
    int guardIn(List<String> command) {
        int at = -1;
        String program = fileName(command.get(0));
        if (command.size() > words.size() && command.subList(0, words.size()).equals(words)) {
            at = words.size();
        } else if (program.equals("idem")) {
            at = 1;
        } else if (program.equals("java")) {
            int jar = command.indexOf("-jar") + 1;
            at = jar > 0
                            && jar < command.size()
                            && JAR.matcher(fileName(command.get(jar))).matches()
                    ? jar + 1
                    : -1;
        }
        return at >= 0 && at < command.size() && command.get(at).equals("mcp") ? at : -1;
    }

    private static String fileName(String path) {
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        return ENDING.matcher(name).replaceFirst("");
    }
}
