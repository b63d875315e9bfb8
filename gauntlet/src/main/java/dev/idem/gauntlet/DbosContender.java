package dev.idem.gauntlet;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * DBOS Transact: each operation is a workflow of one step, its key the workflow's id, as the documentation has it:
 * {@code dbos.startWorkflow(() -> proxy.run(…), new StartWorkflowOptions(key)).getResult()}. The workflow takes the
 * payload as its argument. After a crash, the next process recovers the workflow when it is launched.
 */
final class DbosContender implements Contender {
    private final DBOS dbos;
    private final Steps steps;

    /** The interface that is registered with the library. */
    public interface Steps {
        /** Runs the work with this name. */
        @Nullable
        String run(String name, Map<String, Object> payload) throws Exception;
    }

    /** The workflow. A lambda can't be its argument, so it finds the work by name; a recovered one waits for it. */
    static final class Workflows implements Steps {
        private final DBOS dbos;
        private final Map<String, CompletableFuture<Work>> works = new ConcurrentHashMap<>();

        Workflows(DBOS dbos) {
            this.dbos = dbos;
        }

        void know(String name, Work work) {
            works.computeIfAbsent(name, any -> new CompletableFuture<>()).complete(work);
        }

        @Override
        @Workflow
        public @Nullable String run(String name, Map<String, Object> payload) throws Exception {
            Work work = works.computeIfAbsent(name, any -> new CompletableFuture<>())
                    .get(Arena.PATIENCE_SECONDS, TimeUnit.SECONDS);
            return dbos.runStep(work::run, "work");
        }
    }

    private final Workflows workflows;

    DbosContender(int port, Path folder) {
        dbos = new DBOS(DBOSConfig.defaults("gauntlet")
                .withDatabaseUrl(Postgresql.jdbcUrl(port))
                .withDbUser("postgres")
                .withDbPassword("postgres")
                .withDatabaseSchema(Postgresql.schema(folder))
                .withAppVersion("1"));
        workflows = new Workflows(dbos);
        steps = dbos.registerProxy(Steps.class, workflows);
        dbos.launch();
    }

    @Override
    public String name() {
        return "DBOS Transact";
    }

    @Override
    public String store() {
        return "PostgreSQL";
    }

    @Override
    public String configuration() {
        return "a workflow of one step, its id the key: startWorkflow(() -> proxy.run(…), new StartWorkflowOptions(key))"
                + ".getResult(); all else by default";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = operation + '/' + key;
        workflows.know(name, work);
        try {
            WorkflowHandle<String, Exception> handle =
                    dbos.startWorkflow(() -> steps.run(name, payload), new StartWorkflowOptions(name));
            return new Answer.Value(handle.getResult());
        } catch (Exception e) {
            return new Answer.Refused(e);
        }
    }

    @Override
    public void close() {
        dbos.close();
    }
}
