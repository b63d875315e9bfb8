package dev.idem.torture.worker;

import dev.idem.Call;
import dev.idem.NotExecutedException;
import dev.idem.torture.check.Line;
import dev.idem.torture.check.Promise;
import dev.idem.torture.check.Token;
import dev.idem.torture.world.WorldClient;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;

/** The action of one call. */
final class Acting {
    private static final int LARGE = 20_000;

    private final WorldClient world;
    private final String id;
    private final String address;
    private final Script script;
    private long fence;

    Acting(WorldClient world, String id, String address, Script script) {
        this.world = world;
        this.id = id;
        this.address = address;
        this.script = script;
    }

    /** Thrown when the outcome would be unknown to a real caller too. */
    static final class LostAnswer extends IOException {
        private static final long serialVersionUID = 1;

        LostAnswer(String message) {
            super(message);
        }
    }

    /** The fence under which it ran; 0 if it did not. */
    long fence() {
        return fence;
    }

    String act(Call call, Steps inner) throws Exception {
        fence = call.fence().number();
        world.say(new Line.Began(id, address, fence, call.attempt()));
        if (script.promises().contains(Promise.STAGED) && script.kind() != Kind.PREPARED) {
            call.mark("acting");
        }
        inner.run();
        before(call);
        int padding = script.behaviour() == Behaviour.LARGE ? LARGE : 0;
        Token token = new Token(address, script.identity(), fence, id, padding);
        if (!world.happens(new Line.Effect(id, address, fence, token.name()))) {
            throw definite("the world refused it");
        }
        after();
        return token.value();
    }

    /** Writes a row in the transaction. */
    String write(Call call, Connection connection) throws Exception {
        fence = call.fence().number();
        world.say(new Line.Began(id, address, fence, call.attempt()));
        if (script.behaviour() != Behaviour.AMBIGUOUS_TRY) {
            before(call);
        }
        Token token =
                new Token(address, script.identity(), fence, id, script.behaviour() == Behaviour.LARGE ? LARGE : 0);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO torture_row (address, fence, token) VALUES (?, ?, ?)")) {
            insert.setString(1, address);
            insert.setLong(2, fence);
            insert.setString(3, token.name());
            insert.executeUpdate();
        }
        world.say(new Line.Wrote(id, address, fence, token.name()));
        after();
        return token.value();
    }

    private void before(Call call) throws IOException {
        switch (script.behaviour()) {
            case SLOW, LATE -> pause(script.slow());
            case DEFINITE -> throw definite("the card was declined");
            case LATE_DEFINITE -> {
                pause(script.slow());
                throw definite("the card was declined at last");
            }
            case DECLARED_DEFINITE -> {
                world.say(new Line.Threw(id, address, fence, true));
                throw new IllegalArgumentException("there is no such customer");
            }
            case AMBIGUOUS_BEFORE -> throw ambiguous();
            case AMBIGUOUS_TRY -> {
                call.ambiguous(new LostAnswer("the first try"));
                world.say(new Line.Threw(id, address, fence, false));
                throw new NotExecutedException("the second try was refused");
            }
            default -> {}
        }
    }

    private void after() throws IOException {
        switch (script.behaviour()) {
            case SLOW, LINGERING -> pause(script.slow());
            case AMBIGUOUS_AFTER -> throw ambiguous();
            default -> {}
        }
    }

    private NotExecutedException definite(String why) {
        world.say(new Line.Threw(id, address, fence, true));
        return new NotExecutedException(why);
    }

    private LostAnswer ambiguous() {
        world.say(new Line.Threw(id, address, fence, false));
        return new LostAnswer("no answer");
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The inner operations. */
    @FunctionalInterface
    interface Steps {
        void run() throws Exception;
    }
}
