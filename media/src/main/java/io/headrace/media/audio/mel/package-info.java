/** Log-mel spectra as speech models take them: a Fourier transform of many frames at once, and a bank of mel filters. */
@NullMarked
package io.headrace.media.audio.mel;

import org.jspecify.annotations.NullMarked;
