package dev.idem.conformance;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A request on its way to the server, and its answer on its way back. */
record Exchange(Served server, Request request, String line) {
    /** Lets the real server do the step, and gives its answer. */
    String ask() throws InterruptedException {
        CompletableFuture<String> answer = server.forward(request.id(), line);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a line to the client, if its server still lives. */
    void answer(String answer) {
        server.say(answer);
    }
}
