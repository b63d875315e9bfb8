package dev.idem.cli;

import dev.idem.cli.syntax.UsageException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Checks that Java got the words as they were typed. In a locale without UTF-8, or with bytes that are not text, Java
 * replaces characters that it can't read: another command would run.
 */
final class ExactArguments {
    private ExactArguments() {}

    /**
     * Refuses words that can't be passed on exactly.
     *
     * @throws UsageException if one differs from the typed word
     */
    static void require(String[] words) {
        for (String word : words) {
            if (!isAscii(word)) {
                compare(words);
                return;
            }
        }
    }

    private static boolean isAscii(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) > 126) {
                return false;
            }
        }
        return true;
    }

    private static void compare(String[] words) {
        byte[] typed;
        try {
            typed = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        } catch (IOException e) {
            // Nothing to compare with: search for the replacement character.
            for (String word : words) {
                refuseIf(word.indexOf('\uFFFD') >= 0, word);
            }
            return;
        }
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        int end = typed.length;
        for (int i = words.length - 1; i >= 0; i--) {
            byte[] word = words[i].getBytes(charset);
            int from = end - 1 - word.length;
            refuseIf(from < 0 || !Arrays.equals(typed, from, end - 1, word, 0, word.length), words[i]);
            end = from;
        }
    }

    private static void refuseIf(boolean differs, String word) {
        if (differs) {
            throw new UsageException("the argument '" + word + "' holds bytes that can't be passed on exactly in this "
                    + "locale. Set LC_ALL=C.UTF-8, and use arguments that are UTF-8");
        }
    }
}
