package io.headrace.sources.stores;

import java.util.Comparator;

/** Orders names as people number them: runs of digits by value, so {@code s-2} comes before {@code s-10}. A total order. */
public final class NaturalOrder implements Comparator<String> {

    public static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            if (digit(a, i) && digit(b, j)) {
                int endA = endOfDigits(a, i);
                int endB = endOfDigits(b, j);
                int order = compareDigits(a.substring(i, endA), b.substring(j, endB));
                if (order != 0) {
                    return order;
                }
                i = endA;
                j = endB;
            } else if (a.charAt(i) != b.charAt(j)) {
                return Character.compare(a.charAt(i), b.charAt(j));
            } else {
                i++;
                j++;
            }
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        return rest != 0 ? rest : a.compareTo(b);
    }

    private static boolean digit(String s, int i) {
        return s.charAt(i) >= '0' && s.charAt(i) <= '9';
    }

    private static int endOfDigits(String s, int from) {
        int i = from;
        while (i < s.length() && digit(s, i)) {
            i++;
        }
        return i;
    }

    private static int compareDigits(String a, String b) {
        String x = withoutZeros(a);
        String y = withoutZeros(b);
        return x.length() != y.length() ? Integer.compare(x.length(), y.length()) : x.compareTo(y);
    }

    private static String withoutZeros(String digits) {
        int i = 0;
        while (i < digits.length() - 1 && digits.charAt(i) == '0') {
            i++;
        }
        return digits.substring(i);
    }
}
