/** The agent layer of Idem: tools that are safe to retry. */
module dev.idem.agent {
    requires transitive dev.idem.core;
    requires static org.jspecify;

    exports dev.idem.agent.batch;
    exports dev.idem.agent.ensure;
    exports dev.idem.agent.inbox;
    exports dev.idem.agent.provider;
}
