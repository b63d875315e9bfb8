package dev.idem.clikit;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.call.Interruption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A program whose commands wait for a signal. */
final class SignalMain {
    private SignalMain() {}

    public static void main(String[] args) {
        Kit.of(new CommandLine(new Top())
                        .addSubcommand(new Obedient())
                        .addSubcommand(new Finishing())
                        .addSubcommand(new Stubborn())
                        .addSubcommand(new Harmless()))
                // Long enough for a busy machine where the command ends by itself, short where it does not.
                .grace(Duration.ofMillis(args[0].equals("stubborn") ? 300 : 20_000))
                .runAndExit(args);
    }

    @Command(name = "signals")
    static final class Top {}

    /** Breaks off when it is interrupted. */
    @Command(name = "obedient")
    @Declares(SideEffect.WRITE)
    static final class Obedient implements KitCommand {
        @Override
        public Object run(Call call) throws InterruptedException {
            // What commands print must not get into the envelope's way.
            System.out.println("acting");
            new CountDownLatch(1).await();
            return null;
        }
    }

    /** Ends in good order when it is interrupted. */
    @Command(name = "finishing")
    @Declares(SideEffect.WRITE)
    static final class Finishing implements KitCommand {
        @Override
        public Object run(Call call) {
            System.out.println("acting");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                return "finished";
            }
            return null;
        }
    }

    /** Does not care. */
    @Command(name = "stubborn")
    @Declares(SideEffect.WRITE)
    static final class Stubborn implements KitCommand {
        @Override
        public Object run(Call call) {
            System.out.println("acting");
            Interruption.awaitTheEnd();
            return null;
        }
    }

    /** Only looks. */
    @Command(name = "harmless")
    @Declares(SideEffect.READ)
    static final class Harmless implements KitCommand {
        @Override
        public Object run(Call call) throws InterruptedException {
            System.out.println("acting");
            new CountDownLatch(1).await();
            return null;
        }
    }
}
