package dev.idem.internal.key;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds texts that look like secrets: what a person can read in a list, others can read too. */
public final class Secrets {
    /** The user of a URL; or a password with a slash, with which the host seems to end before the at. */
    private static final Pattern IN_URL = Pattern.compile(
            "(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://([^\\s/?#]*@|[^\\s/?#@:\\[]*:(?![0-9]{0,5}([/?#]|$))[^\\s@]*@)");

    private static final Pattern NAMED = Pattern.compile(
            "(?i)(passw|passphrase|secret|token|api.?key|access.?key|credential|signature|authorization)"
                    + "[a-z0-9_.-]*[\"']?\\s*[=:]\\s*[\"']?[^\\s&\"'$]");

    /** Forms in which well-known issuers give out keys and tokens. */
    private static final Pattern ISSUED = Pattern.compile("(?<![A-Za-z0-9])("
            + "(sk|pk|rk)[_-](live|test|proj|ant|or)[_-][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{8,}"
            + "|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}|xox[a-z]-[\\w-]{10,}"
            + "|(AKIA|ASIA)[A-Z0-9]{16}|AIza[\\w-]{30,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}"
            + "|eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,})");

    private static final Pattern SPOKEN =
            Pattern.compile("(?i)-----BEGIN [A-Z ]*PRIVATE KEY|\\b(bearer|basic)\\s+[A-Za-z0-9+/._~-]{8,}");

    /** Digits as they stand on a card, alone or in groups. */
    private static final Pattern CARD = Pattern.compile("(?<![\\d.])[2-6](?:[ -]?\\d){12,18}(?!\\d)");

    /** More than people see of a text. All of a long text would take too long. */
    private static final int LOOKED_AT = 2000;

    private Secrets() {}

    /** Whether the part of a text that people see holds something that looks like a secret. */
    public static boolean isIn(String whole) {
        String text = whole.length() <= LOOKED_AT ? whole : whole.substring(0, LOOKED_AT);
        return IN_URL.matcher(text).find()
                || NAMED.matcher(text).find()
                || ISSUED.matcher(text).find()
                || SPOKEN.matcher(text).find()
                || hasCard(text);
    }

    private static boolean hasCard(String text) {
        Matcher digits = CARD.matcher(text);
        while (digits.find()) {
            if (isCard(digits.group().replaceAll("[ -]", ""))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the last digit of a number checks the others as that of a card does (Luhn). */
    private static boolean isCard(String digits) {
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(digits.length() - 1 - i) - '0';
            int weighed = i % 2 == 0 ? digit : 2 * digit;
            sum += weighed > 9 ? weighed - 9 : weighed;
        }
        return sum % 10 == 0;
    }
}
