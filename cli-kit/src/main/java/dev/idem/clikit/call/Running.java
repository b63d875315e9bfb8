package dev.idem.clikit.call;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.clikit.Probed;
import dev.idem.clikit.line.ParsedLine;
import dev.idem.clikit.line.Subject;
import dev.idem.clikit.program.Declaration;
import dev.idem.command.Answer;
import dev.idem.command.OccasionalPurge;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** Runs a command once for its key, or returns the stored result. */
final class Running {
    private final ParsedLine line;
    private final Body body;
    private final Interruption interruption;

    Running(ParsedLine line, Body body, Interruption interruption) {
        this.line = line;
        this.body = body;
        this.interruption = interruption;
    }

    Answer answer(Idem idem, Subject subject) {
        OutcomeAnswers answers = new OutcomeAnswers(line, subject);
        try {
            Outcome<StoredAnswer> outcome = operation(idem, subject).attempt(this::act);
            OccasionalPurge.after(outcome, idem.ledger());
            return outcome.match(answers);
        } catch (UnrecordedException | StaleTicketException e) {
            return answers.unrecorded(e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the only way to create an array of a generic class
    private Operation<StoredAnswer> operation(Idem idem, Subject subject) {
        Declaration declaration = line.declaration();
        Operation<StoredAnswer> operation = idem.operation(declaration.operation())
                .scope(subject.address().scope())
                .key(subject.address().key())
                .identity(subject.arguments().identity())
                .policy(Policy.unset()
                        .sideEffect(declaration.sideEffect())
                        .definiteOn(declaration.definiteOn().toArray(new Class[0])))
                // Thrown by commands that check an argument themselves: nothing was done.
                .policy(Policy.unset().definiteOn(ParameterException.class).interruptible())
                .returning(StoredAnswer.class);
        if (!subject.arguments().content().isEmpty()) {
            operation = operation.content(subject.arguments().content());
        }
        for (Map.Entry<String, String> label : subject.labels().entrySet()) {
            operation = operation.label(label.getKey(), label.getValue());
        }
        Duration wait = line.waits();
        if (wait != null) {
            operation = operation.policy(Policy.unset().waitFor(wait));
        }
        Probed probed = body.probed();
        return probed == null ? operation : operation.probe(doubted -> verdict(probed, doubted));
    }

    private StoredAnswer act(Call call) throws Exception {
        interruption.begin(line.declaration().mutates());
        try {
            StoredAnswer kept =
                    StoredAnswer.of(body.run(call), line.declaration().effect());
            call.effect(kept.done());
            return kept;
        } finally {
            interruption.end();
        }
    }

    private Probe.Verdict<StoredAnswer> verdict(Probed probed, Entry doubted) throws Exception {
        Probe.Verdict<? extends @Nullable Object> verdict = probed.probe(doubted);
        if (verdict instanceof Probe.Happened<?> happened) {
            return Probe.Verdict.happened(
                    StoredAnswer.of(happened.result(), line.declaration().effect()));
        }
        return verdict instanceof Probe.NotExecuted<?> ? Probe.Verdict.notExecuted() : Probe.Verdict.unknown();
    }
}
