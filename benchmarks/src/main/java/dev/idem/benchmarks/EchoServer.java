package dev.idem.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A small MCP server on stdio: it answers every request at once. */
final class EchoServer {
    private EchoServer() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int start = line.indexOf("\"id\":") + 5;
            String id = line.substring(start, line.indexOf(',', start));
            String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[]}}\n";
            System.out.write(answer.getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }
    }
}
