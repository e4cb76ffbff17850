package io.headrace.engine.recipe.schema;

import java.util.Collection;
import java.util.Locale;

/** The known word nearest to a mistyped one, by edits: insert, delete, replace, swap of neighbours. */
public final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    /** The nearest of the words; empty where none is within a third of the word's length. */
    public static String of(String written, Collection<String> words) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String word : words) {
            int edits = edits(plain(written), plain(word));
            if (edits < least && edits <= tolerated(written, word)) {
                least = edits;
                best = word;
            }
        }
        return best;
    }

    private static int tolerated(String written, String word) {
        return Math.max(1, Math.min(written.length(), word.length()) / 3);
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /** Damerau-Levenshtein distance in its optimal string alignment form. */
    static int edits(String a, String b) {
        if (a.length() > LONGEST || b.length() > LONGEST) {
            return a.equals(b) ? 0 : LONGEST;
        }
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int replaced = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least =
                Math.min(
                        cost[i - 1][j - 1] + replaced,
                        Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
