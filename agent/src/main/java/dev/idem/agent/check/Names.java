package dev.idem.agent.check;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Guesses from the names of tools and fields. */
final class Names {
    private static final Set<String> ACTS = setOf("""
            accept activate add adjust append apply approve archive assign ban block book bump buy
            cancel capture change charge clear close commit confirm create deactivate decline
            decrease decrement delete deploy deposit destroy disable dispatch do drop edit email
            enable enqueue ensure erase execute grant increase increment insert install invite
            invoice issue kill mail mark merge modify move notify order patch pay place post
            provision publish purchase purge push put refund register reject remove rename replace
            reserve reset restart restore resume revert revoke save schedule send set ship sms
            start stop submit subscribe suspend terminate toggle transfer trigger truncate
            unblock undo unsubscribe update upload upsert wipe wire withdraw write""");
    private static final Set<String> LOOKS = setOf("""
            check count describe fetch find get has is list look lookup query read search show
            status validate view calculate compute estimate preview""");
    private static final Set<String> WORDED = setOf("""
            body text message note notes comment description reason content summary explanation html
            markdown prompt details""");

    private Names() {}

    private static Set<String> setOf(String words) {
        return Set.of(words.split("\\s+"));
    }

    /** Whether the name of a tool says that it changes something. The first known word decides. */
    static boolean acts(String tool) {
        for (String word : words(tool)) {
            if (LOOKS.contains(word)) {
                return false;
            } else if (ACTS.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a field holds text that a model rewords. */
    static boolean isWorded(String field) {
        List<String> words = words(field);
        return WORDED.contains(words.get(words.size() - 1));
    }

    private static List<String> words(String name) {
        return List.of(name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT)
                .split("[^a-z0-9]+", -1));
    }
}
