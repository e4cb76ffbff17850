/** From packets to upright RGB frames: only those packets that the wanted frames need. */
@NullMarked
package io.headrace.media.video.decode;

import org.jspecify.annotations.NullMarked;
