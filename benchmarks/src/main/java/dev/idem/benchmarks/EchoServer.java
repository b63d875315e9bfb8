package dev.idem.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A small MCP server on stdio: it answers every request at once. */
final class EchoServer {
    private EchoServer() {}

    public static void main(String[] args) throws IOException {
        serve(request -> {});
    }

    /** Answers requests, after their effect, until there are no more. */
    static void serve(Consumer<String> effect) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = in.readLine(); request != null; request = in.readLine()) {
            effect.accept(request);
            String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + member(request, "id") + ",\"result\":{\"content\":[]}}\n";
            System.out.write(answer.getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }
    }

    /** The JSON text of a member that is no object. */
    static String member(String request, String name) {
        int start = request.indexOf("\"" + name + "\":") + name.length() + 3;
        int end = start;
        while (",}".indexOf(request.charAt(end)) < 0) {
            end++;
        }
        return request.substring(start, end);
    }
}
