package dev.idem.cli.syntax;

import java.util.List;

/** The table of {@code idem demo}. */
public final class DemoSyntax {
    /** Not by the environment: nobody wants a demo in the ledger of a shop. */
    public static final Option LEDGER = Option.of(
                    "--ledger",
                    "URL",
                    null,
                    "shows it on this ledger, and takes its entries away again; without it on a temporary one")
            .withoutEnv();

    public static final Syntax DEMO = new Syntax(
            "demo",
            "shows in ten seconds what it is for: an agent is killed and restarted, without Idem and with it",
            List.of(),
            false,
            true,
            Danger.SAFE,
            List.of(LEDGER, Syntaxes.JSON, Syntaxes.JSON_SHAPE),
            List.of(0, 1, 2, 12, 130, 143),
            """
            A line for each event, and at a terminal a table that changes with them. With --json one object, at the end.
            The model is a fixed list of tool calls; the agents are processes, the services are asked through HTTP on
            this machine, and what is shown is what these have counted. Nothing is left behind.
            """);

    private DemoSyntax() {}
}
