package dev.idem.mcp;

import java.util.List;
import java.util.Map;

/**
 * The tools of a server, as it lists them. All texts are those of the server.
 *
 * @param server the name and the version that the server gives itself; empty where it gives none
 * @param tools each as a JSON object that has a name; no name is there twice
 * @param remarks what a person should know about the list, such as tools that were left out
 */
public record ToolList(String server, List<Map<?, ?>> tools, List<String> remarks) {
    public ToolList {
        tools = List.copyOf(tools);
        remarks = List.copyOf(remarks);
    }

    static String name(Map<?, ?> tool) {
        return String.valueOf(tool.get("name"));
    }
}
