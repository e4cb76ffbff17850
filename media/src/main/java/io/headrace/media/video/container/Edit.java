package io.headrace.media.video.container;

/**
 * One entry of an edit list (ISO/IEC 14496-12, 8.6.6): for {@code durationTicks} of the movie's clock the track shows its media from
 * {@code mediaTicks} of its own clock on, or nothing if that is -1.
 */
public record Edit(long durationTicks, long mediaTicks) {
    /** Media time of an edit that shows nothing. */
    public static final long EMPTY = -1;

    public boolean isEmpty() {
        return mediaTicks == EMPTY;
    }
}
