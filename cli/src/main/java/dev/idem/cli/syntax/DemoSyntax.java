package dev.idem.cli.syntax;

/** The table of {@code idem demo}. */
public final class DemoSyntax {
    /** Not from the environment: a demo must not run in a production ledger by accident. */
    public static final Option LEDGER = Option.of(
            "--ledger", "URL", "runs on this ledger and removes its entries at the end; by default on a temporary one");

    public static final Syntax DEMO = Syntax.of(
                    "demo", "shows Idem in ten seconds: an agent is killed and restarted, without Idem and with it")
            .natural()
            .has(LEDGER, Syntaxes.JSON, Syntaxes.JSON_SHAPE)
            .ends(12)
            .explained("""
            A line for each event, and at a terminal a table that changes with them. With --json one object, at the end.
            The model is a fixed list of tool calls; the agents are processes, the services are asked through HTTP on
            this machine, and the table shows their counts. Nothing is left behind.
            """);

    private DemoSyntax() {}
}
