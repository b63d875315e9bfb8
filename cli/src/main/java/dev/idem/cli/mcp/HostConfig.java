package dev.idem.cli.mcp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the servers in the configuration of a host.
 *
 * @param json the text of the file
 * @param steps one for each server that was chosen
 */
record HostConfig(String json, List<ServerEntry.Step> steps) {
    private static final List<String> MEMBERS = List.of("mcpServers", "servers");

    /**
     * The choice of servers, and the change to make.
     *
     * @param servers the names of the chosen servers; empty for all
     * @param undo whether the guard is taken away
     * @param project the folder whose own servers are in the file too, as in that of Claude Code
     */
    record Plan(Launcher launcher, Set<String> servers, boolean undo, String project) {}

    /**
     * Finds the steps for a file.
     *
     * @throws Jsonc.Malformed if the file has another form
     */
    static HostConfig of(String json, Plan plan) throws Jsonc.Malformed {
        List<ServerEntry.Step> steps = new ArrayList<>();
        if (json.isBlank()) {
            return new HostConfig(json, steps);
        }
        Jsonc root = Jsonc.parse(json);
        for (String member : MEMBERS) {
            collect(steps, json, root.member(member), plan);
        }
        Jsonc projects = root.member("projects");
        Jsonc project = projects == null ? null : projects.member(plan.project);
        if (project != null) {
            collect(steps, json, project.member(MEMBERS.get(0)), plan);
        }
        return new HostConfig(json, List.copyOf(steps));
    }

    private static void collect(List<ServerEntry.Step> steps, String json, @Nullable Jsonc servers, Plan plan)
            throws Jsonc.Malformed {
        if (servers == null || servers.members() == null) {
            return;
        }
        for (Jsonc.Member member : servers.members()) {
            if (plan.servers.isEmpty() || plan.servers.contains(member.name())) {
                ServerEntry entry = new ServerEntry(json, member.name(), member.value(), plan.launcher);
                steps.add(plan.undo ? entry.unwrapped() : entry.wrapped());
            }
        }
    }

    List<ServerEntry.Step> changes() {
        return steps.stream().filter(ServerEntry.Step::changes).toList();
    }

    /** The file after all steps. */
    String changed() {
        List<ServerEntry.Edit> edits = new ArrayList<>();
        steps.forEach(step -> edits.addAll(step.edits()));
        edits.sort(Comparator.comparingInt(ServerEntry.Edit::from).reversed());
        StringBuilder text = new StringBuilder(json);
        edits.forEach(edit -> text.replace(edit.from(), edit.to(), edit.text()));
        return text.toString();
    }

    /** Whether a person who has agreed to these changes has agreed to those of another reading of the file too. */
    boolean sameChanges(HostConfig other) {
        return shown(changes()).equals(shown(other.changes()));
    }

    private static List<String> shown(List<ServerEntry.Step> steps) {
        return steps.stream()
                .map(step -> step.name() + "\n" + step.before() + "\n" + step.after())
                .toList();
    }
}
