package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.spi.Ledger;

/** {@code idem forget}. */
public final class ForgetCommand {
    public static final Command COMMAND = Syntax.of("forget", "removes an entry, so that its key may run again")
            .takes("KEY")
            .is(Danger.DESTRUCTIVE)
            .has(Options.YES, Options.SCOPE, Options.OPERATION)
            .has(Options.ONCE)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 5, 6, 12)
            .explained("It needs --yes, or --dry-run to see what would be removed.\n")
            .does(ForgetCommand::run);

    private ForgetCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) {
        NamedEntry named = NamedEntry.of(around, arguments);
        arguments.requireYes("a forgotten entry does not come back, and its key may run again");
        return named.changed(false, (ledger, entry) -> forget(ledger, entry, arguments.flag(Options.DRY_RUN)));
    }

    private static Answer forget(Ledger ledger, Entry entry, boolean dry) {
        if (dry) {
            return Answer.ok(EntryFields.found("would_delete", entry))
                    .text("would forget " + entry.address() + ", "
                            + entry.state().word() + "\n");
        }
        return ledger.forget(entry)
                ? Answer.ok(EntryFields.found("deleted", entry))
                        .text("forgot " + entry.address() + "; its key may run again\n")
                : NamedEntry.changedMeanwhile(entry);
    }
}
