/** A guard in front of any MCP server. */
module dev.idem.mcp {
    requires transitive dev.idem.agent;
    requires dev.idem.http;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.snakeyaml.engine.v2;
    requires static org.jspecify;

    exports dev.idem.mcp;
}
