package dev.idem.cli.check;

import dev.idem.agent.check.Finding;
import dev.idem.agent.check.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reports the unreadable classes of a jar or folder as one finding: mostly they lack the same dependency. */
final class Unreadable {
    static final String FIX = "name the jars that it needs with --classpath, or give a jar that holds them too, or a "
            + ".json list of the tools, or call Tools.check(...) in a test, where the class path is whole";
    private static final int MOST_NAMED = 3;
    private static final List<String> LACKS = List.of(
            "java.lang.NoClassDefFoundError: ",
            "java.lang.ClassNotFoundException: ",
            "java.lang.TypeNotPresentException: ");

    private Unreadable() {}

    /** The findings of one path, with at most one about unreadable classes. */
    static List<Finding> together(List<Finding> findings, String path) {
        List<Finding> rest = new ArrayList<>();
        List<Finding> unreadable = new ArrayList<>();
        findings.forEach(finding -> (isUnreadable(finding) ? unreadable : rest).add(finding));
        if (unreadable.isEmpty()) {
            return findings;
        }
        Finding first = unreadable.get(0);
        int count = unreadable.size();
        rest.add(new Finding(
                first.rule(),
                first.severity(),
                count == 1 ? first.tool() : count + " classes",
                path,
                (count == 1 ? "it" : first.tool() + " and " + (count - 1) + " more") + " could not be looked at"
                        + missing(unreadable),
                FIX));
        return rest;
    }

    static boolean isUnreadable(Finding finding) {
        return finding.rule().equals(Rule.UNREADABLE.id());
    }

    private static String missing(List<Finding> unreadable) {
        Set<String> missing = new TreeSet<>();
        for (Finding finding : unreadable) {
            for (String lack : LACKS) {
                int at = finding.message().indexOf(lack);
                if (at >= 0) {
                    missing.add(className(finding.message().substring(at + lack.length())));
                }
            }
        }
        if (missing.isEmpty()) {
            String message = unreadable.get(0).message();
            return message.substring(Math.max(0, message.indexOf(": ")));
        }
        int more = missing.size() - MOST_NAMED;
        return ", for want of "
                + String.join(", ", missing.stream().limit(MOST_NAMED).toList())
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** {@code org/acme/Tool}, or {@code Type org.acme.Tool not present}. */
    private static String className(String text) {
        String name = text.startsWith("Type ") ? text.substring("Type ".length()) : text;
        int end = name.indexOf(' ');
        return (end < 0 ? name : name.substring(0, end)).replace('/', '.');
    }
}
