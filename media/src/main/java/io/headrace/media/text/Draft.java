package io.headrace.media.text;

import java.util.Arrays;

/** Ids in the making, one pad token for each picture, video or audio. Grows; used by one thread. */
final class Draft {

    private static final int FIRST_CAPACITY = 64;

    private int[] ids = new int[FIRST_CAPACITY];
    private boolean[] trained = new boolean[FIRST_CAPACITY];
    private int size;

    void add(int[] more, int from, int to, boolean isTrained) {
        int grown = size + to - from;
        if (grown > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(grown, 2 * ids.length));
            trained = Arrays.copyOf(trained, ids.length);
        }
        System.arraycopy(more, from, ids, size, to - from);
        Arrays.fill(trained, size, grown, isTrained);
        size = grown;
    }

    int size() {
        return size;
    }

    int id(int token) {
        return ids[token];
    }

    boolean isTrained(int token) {
        return trained[token];
    }

    int count(int id) {
        int n = 0;
        for (int i = 0; i < size; i++) {
            n += ids[i] == id ? 1 : 0;
        }
        return n;
    }
}
