package dev.idem.mcpsdk;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The calls of an asynchronous tool. A call does not end with the subscription of the client that made it. */
record Detached(GuardedTool tool, Executor executor) {
    Mono<CallToolResult> call(
            McpTransportContext context,
            CallToolRequest request,
            Function<CallToolRequest, Mono<CallToolResult>> handler) {
        return Mono.deferContextual(view -> {
            CompletableFuture<CallToolResult> answer = new CompletableFuture<>();
            executor.execute(() -> {
                try {
                    answer.complete(tool.call(
                            context,
                            request,
                            keyed -> ended(
                                    handler.apply(keyed).contextWrite(view).toFuture())));
                } catch (Throwable e) {
                    answer.completeExceptionally(e);
                }
            });
            return Mono.fromFuture(answer, true);
        });
    }

    private static CallToolResult ended(CompletableFuture<CallToolResult> running) throws Exception {
        try {
            return running.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }
}
