package dev.idem.command.score;

import java.util.List;

/** The checks of all points. A point that is out of reach is not checked. */
public record Grade(List<Check> checks) {
    /** Keeps a copy of the checks. */
    public Grade {
        checks = List.copyOf(checks);
    }

    /** The number of reached points; each needs the one before. */
    public int score() {
        int score = 0;
        while (score < 3 && reached(score + 1)) {
            score++;
        }
        return score;
    }

    /** The checks of one point. */
    public List<Check> of(int point) {
        return checks.stream().filter(check -> check.point() == point).toList();
    }

    /** Whether all checks of a point were made and met. */
    public boolean reached(int point) {
        List<Check> all = of(point);
        return !all.isEmpty() && all.stream().allMatch(Check::met);
    }

    /** The conditions that are missing for the next point. */
    public List<String> missing() {
        int next = score() + 1;
        return of(next).stream()
                .filter(check -> !check.met())
                .map(Check::missing)
                .toList();
    }
}
