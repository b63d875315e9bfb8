package dev.idem.cli.syntax;

import java.util.List;

/** Suggests a word for a mistyped one. */
public final class Nearest {
    private Nearest() {}

    /** {@code " (did you mean --wait?)"}, or empty if no word is similar. */
    public static String hint(String word, List<String> words) {
        String best = "";
        int least = Math.max(2, word.length() / 3) + 1;
        for (String candidate : words) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : " (did you mean " + best + "?)";
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
