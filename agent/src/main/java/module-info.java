/** The agent layer of Idem: tools that are safe to retry. */
@SuppressWarnings("module") // the modules of the adapters are built after this one
module dev.idem.agent {
    requires transitive dev.idem.core;
    requires com.github.benmanes.caffeine;
    requires com.networknt.schema;
    requires static org.jspecify;

    exports dev.idem.agent.adapter to
            dev.idem.langchain4j,
            dev.idem.springai;
    exports dev.idem.agent.approval;
    exports dev.idem.agent.batch;
    exports dev.idem.agent.cache;
    exports dev.idem.agent.check;
    exports dev.idem.agent.coalesce;
    exports dev.idem.agent.ensure;
    exports dev.idem.agent.formula;
    exports dev.idem.agent.guard;
    exports dev.idem.agent.inbox;
    exports dev.idem.agent.provider;
    exports dev.idem.agent.retry;
    exports dev.idem.agent.run;
    exports dev.idem.agent.session;
    exports dev.idem.agent.shadow;
    exports dev.idem.agent.tool;
    exports dev.idem.agent.vet;
}
