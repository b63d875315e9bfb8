package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.Tool;
import dev.idem.mcp.guard.AskedTool;
import dev.idem.mcp.guard.ToolRule;
import dev.idem.mcp.guard.ToolRule.ProbeRule;
import dev.idem.mcp.guard.ToolRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The rules of the tools of a server, from a file:
 *
 * <pre>{@code
 * version: 1
 * tools:
 *   send_email:
 *     side_effect: write
 *     identity: [to, subject]
 *     retention: 30d
 * }</pre>
 *
 * <p>A name that is not known is an error, because a rule that does not hold would be noticed too late. Immutable.
 */
public final class McpRules {
    /** No rules: each tool is a WRITE, and all its arguments identify a call. */
    public static final McpRules NONE = new McpRules(new ToolRules(Map.of()), List.of());

    private static final Set<String> PROBE = Set.of("tool", "arguments", "found", "absent");

    private final ToolRules tools;
    private final List<String> wrongOverHttp;

    private McpRules(ToolRules tools, List<String> wrongOverHttp) {
        this.tools = tools;
        this.wrongOverHttp = wrongOverHttp;
    }

    /**
     * Reads rules.
     *
     * @param name names the text in messages, such as the path of the file
     * @throws IllegalArgumentException for anything that is not known; the message names the line and what to write
     */
    public static McpRules parse(String text, String name) {
        return new Parser(name, new ArrayList<>()).parse(text);
    }

    /**
     * These rules, for a server that is reached over HTTP. Its end is not seen when a connection is lost, so a probe that
     * proves the absence of an effect needs to know how long the server may work.
     *
     * @throws IllegalArgumentException for such a probe without a time limit; the message names the line
     */
    public McpRules overHttp() {
        if (!wrongOverHttp.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", wrongOverHttp));
        }
        return this;
    }

    ToolRules tools() {
        return tools;
    }

    private record Parser(String name, List<String> wrongOverHttp) {
        McpRules parse(String text) {
            Node root;
            try {
                LoadSettings settings = LoadSettings.builder()
                        .setLabel(name)
                        .setAllowDuplicateKeys(false)
                        .setMaxAliasesForCollections(0)
                        // Between two parts the reader can't take a character that is a pair of surrogates.
                        .setBufferSize(text.length() + 1)
                        .build();
                root = new Compose(settings).composeString(text).orElse(null);
            } catch (MarkedYamlEngineException e) {
                int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
                throw new IllegalArgumentException(name + ", line " + line + ": " + e.getProblem(), e);
            } catch (YamlEngineException e) {
                throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
            }
            if (root == null) {
                throw new IllegalArgumentException(name + " is empty; begin with the line 'version: 1'");
            }
            Map<String, Node> members = members(root, "the rules");
            requireKnown(members, Set.of("version", "tools"), "the rules");
            Node version = members.get("version");
            if (version == null || !scalar(version, "version").equals("1")) {
                throw wrong(version == null ? root : version, "write 'version: 1'");
            }
            Map<String, ToolRule> rules = new LinkedHashMap<>();
            Node tools = members.get("tools");
            if (tools != null) {
                members(tools, "tools").forEach((tool, rule) -> rules.put(tool, rule(tool, rule)));
            }
            return new McpRules(new ToolRules(Map.copyOf(rules)), List.copyOf(wrongOverHttp));
        }

        private ToolRule rule(String tool, Node node) {
            Policy policy = Policy.unset();
            List<String> identity = List.of();
            String key = null;
            boolean errorsAreFailures = false;
            boolean asksBeforeActing = false;
            List<Pattern> failedOn = List.of();
            ProbeRule probe = null;
            StringBuilder options = new StringBuilder();
            Map<String, Node> members = members(node, "tool '" + tool + "'");
            for (Map.Entry<String, Node> member : members.entrySet()) {
                Node value = member.getValue();
                switch (member.getKey()) {
                    case "identity" -> identity = texts(value, "arguments, such as [to, subject]");
                    case "key" -> key = pointer(value);
                    case "on_error" -> errorsAreFailures = choice(value, "failed", "doubt");
                    case "on_input_required" -> asksBeforeActing = choice(value, "failed", "doubt");
                    case "failed_on" -> failedOn = patterns(value);
                    case "probe" -> probe = probe(value);
                    default -> {
                        policy = option(member.getKey(), value).over(policy);
                        options.append(member.getKey())
                                .append(": ")
                                .append(scalar(value, ""))
                                .append('\n');
                    }
                }
            }
            requireOnePolicy(node, options.toString());
            if (Set.copyOf(identity).size() < identity.size()) {
                throw wrong(node, "an argument is named twice in the identity of '" + tool + "'; remove one");
            }
            if (probe != null && probe.absentIsProof() && !members.containsKey("time_limit")) {
                wrongOverHttp.add(wrong(
                                node,
                                "the probe of '" + tool
                                        + "' says 'absent: not_executed'. Over HTTP write also how long a "
                                        + "call may take at most, such as 'time_limit: 10m': a server that has lost its "
                                        + "connection may go on until then")
                        .getMessage());
            }
            if (probe != null) {
                requireIdentity(node, probe, identity);
                // A probe is declared to be asked.
                policy = policy.over(Policy.unset().onDoubt(OnDoubt.PROBE));
            }
            if (policy.isStaged()) {
                throw wrong(node, "the guard writes no mark before '" + tool + "' acts; remove 'staged'");
            }
            requireTool(node, tool, policy, identity);
            return new ToolRule(policy, identity, key, errorsAreFailures, asksBeforeActing, failedOn, probe);
        }

        /** Options that are good alone may not be declared together. */
        private void requireOnePolicy(Node node, String options) {
            try {
                var unused = Policy.parse(options, Provider::remote);
            } catch (IllegalArgumentException e) {
                throw wrong(node, String.valueOf(e.getMessage()));
            }
        }

        /** Options that are good alone may contradict each other. Better now than with the first call. */
        private void requireTool(Node node, String tool, Policy policy, List<String> identity) {
            if (tool.isBlank()) {
                // The draft of a server's rules has every name; a call of this one is refused anyway.
                return;
            }
            try {
                var builder = Tool.named(tool).policy(McpCalls.policy(policy, null));
                builder = identity.isEmpty() ? builder : builder.identity(identity.toArray(String[]::new));
                // A tool with code is checked whole, so that no call fails for its rule later.
                builder.run((call, input) -> "");
            } catch (IllegalArgumentException e) {
                throw wrong(node, String.valueOf(e.getMessage()));
            }
        }

        /** A reworded call would let the probe search for its own words, and not for those of the call in doubt. */
        private void requireIdentity(Node node, ProbeRule probe, List<String> identity) {
            Matcher argument =
                    AskedTool.ARGUMENT.matcher(Json.write(probe.arguments().values()));
            while (!identity.isEmpty() && argument.find()) {
                if (!identity.contains(argument.group(1))) {
                    throw wrong(
                            node,
                            "the probe asks with {" + argument.group(1) + "}, which is no part of the identity; use "
                                    + String.join(", ", identity));
                }
            }
        }

        private Policy option(String option, Node value) {
            try {
                return Policy.parse(option + ": " + scalar(value, option), Provider::remote);
            } catch (IllegalArgumentException e) {
                boolean isName = String.valueOf(e.getMessage()).startsWith("policy option");
                throw wrong(
                        value,
                        e.getMessage()
                                + (isName ? "; or identity, key, on_error, on_input_required, failed_on, probe" : ""));
            }
        }

        private ProbeRule probe(Node node) {
            Map<String, Node> members = members(node, "probe");
            requireKnown(members, PROBE, "probe");
            Node tool = members.get("tool");
            Node found = members.get("found");
            if (tool == null || found == null) {
                throw wrong(node, "a probe needs 'tool', the tool to ask, and 'found', a pointer such as /messages/0");
            }
            Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
            Node given = members.get("arguments");
            if (given != null) {
                members(given, "arguments").forEach((argument, value) -> arguments.put(argument, plain(value)));
            }
            Node absent = members.get("absent");
            boolean proof = absent != null && choice(absent, "not_executed", "unknown");
            return new ProbeRule(scalar(tool, "tool"), arguments, pointer(found), proof);
        }

        /** Whether it is the first of two words. */
        private boolean choice(Node node, String yes, String no) {
            String word = scalar(node, "");
            if (!word.equals(yes) && !word.equals(no)) {
                throw wrong(node, "'" + word + "' is not known; write " + yes + " or " + no);
            }
            return word.equals(yes);
        }

        private String pointer(Node node) {
            String text = scalar(node, "");
            if (!text.startsWith("/")) {
                throw wrong(node, "'" + text + "' is no JSON pointer; write for instance /" + text);
            }
            return text;
        }

        private List<String> texts(Node node, String what) {
            if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
                throw wrong(node, "write a list of " + what);
            }
            return sequence.getValue().stream().map(each -> scalar(each, "")).toList();
        }

        /** Texts of errors, in which {@code *} is any text. A pattern for every text would be {@code on_error: failed}. */
        private List<Pattern> patterns(Node node) {
            List<Pattern> patterns = new ArrayList<>();
            for (String text : texts(node, "texts of errors, such as [\"no such entity: *\"]")) {
                if (text.replace("*", "").isBlank()) {
                    throw wrong(node, "'" + text + "' fits every error; write on_error: failed, if that is meant");
                }
                patterns.add(Pattern.compile(
                        Arrays.stream(text.strip().split("\\*", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*")),
                        Pattern.DOTALL));
            }
            return patterns;
        }

        private Map<String, Node> members(Node node, String what) {
            if (!(node instanceof MappingNode mapping)) {
                throw wrong(node, what + " has names and values, such as 'retention: 30d'");
            }
            Map<String, Node> members = new LinkedHashMap<>();
            for (NodeTuple tuple : mapping.getValue()) {
                String member = scalar(tuple.getKeyNode(), what);
                if (members.put(member, tuple.getValueNode()) != null) {
                    throw wrong(tuple.getKeyNode(), "'" + member + "' is there twice; remove one");
                }
            }
            return members;
        }

        private void requireKnown(Map<String, Node> members, Set<String> known, String what) {
            members.forEach((member, node) -> {
                if (!known.contains(member)) {
                    throw wrong(
                            node,
                            "'" + member + "' is not known in " + what + "; use "
                                    + String.join(", ", new TreeSet<>(known)));
                }
            });
        }

        private String scalar(Node node, String what) {
            if (!(node instanceof ScalarNode scalar)) {
                throw wrong(node, (what.isEmpty() ? "this" : what) + " takes one value");
            }
            return scalar.getValue();
        }

        private @Nullable Object plain(Node node) {
            if (node instanceof MappingNode) {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                members(node, "arguments").forEach((member, value) -> members.put(member, plain(value)));
                return members;
            } else if (node instanceof SequenceNode sequence) {
                List<@Nullable Object> elements = new ArrayList<>();
                sequence.getValue().forEach(each -> elements.add(plain(each)));
                return elements;
            }
            String text = scalar(node, "");
            return switch (node.getTag().getValue()) {
                case "tag:yaml.org,2002:int" -> Long.valueOf(text);
                case "tag:yaml.org,2002:float" -> Double.valueOf(text);
                case "tag:yaml.org,2002:bool" -> Boolean.valueOf(text);
                case "tag:yaml.org,2002:null" -> null;
                default -> text;
            };
        }

        private IllegalArgumentException wrong(Node node, String what) {
            int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
            return new IllegalArgumentException(name + ", line " + line + ": " + what);
        }
    }
}
