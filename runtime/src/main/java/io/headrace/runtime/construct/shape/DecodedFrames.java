package io.headrace.runtime.construct.shape;

import io.headrace.media.process.video.SampledFrames;

/** How many frames of a video a decoder goes through for those that are wanted: from each key frame to the last one wanted behind it. */
final class DecodedFrames {

    private DecodedFrames() {}

    /**
     * The number if key frames lie at even distances, which is all that the index tells of them.
     *
     * @param frames frames of the video
     * @param keyFrames frames that decoding can start at
     */
    static long of(SampledFrames wanted, int frames, int keyFrames) {
        long interval = Math.max(1, Math.ceilDiv(frames, Math.max(1, keyFrames)));
        long decoded = 0;
        for (int k = 0; k < wanted.count(); k++) {
            long key = wanted.get(k) / interval;
            boolean last = k + 1 == wanted.count() || wanted.get(k + 1) / interval != key;
            if (last) {
                decoded += wanted.get(k) - key * interval + 1;
            }
        }
        return decoded;
    }
}
