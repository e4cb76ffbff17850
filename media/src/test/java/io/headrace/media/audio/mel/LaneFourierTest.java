package io.headrace.media.audio.mel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneFourierTest {

    /** The definition of the transform, summed up. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 10, 16, 20, 40, 50, 100, 400, 512})
    void powersAreThoseOfTheDefinition(int length) {
        LaneFourier fourier = new LaneFourier(length);
        double[][] signals = new double[LaneFourier.LANES][length];
        Random random = new Random(length);
        for (int lane = 0; lane < signals.length; lane++) {
            for (int i = 0; i < length; i++) {
                signals[lane][i] = random.nextGaussian();
                double[] half = i % 2 == 0 ? fourier.even() : fourier.odd();
                half[i / 2 * LaneFourier.LANES + lane] = signals[lane][i];
            }
        }
        double[] power = new double[(length / 2 + 1) * LaneFourier.LANES];
        fourier.power(power);
        for (int lane = 0; lane < signals.length; lane++) {
            for (int k = 0; k <= length / 2; k++) {
                double re = 0;
                double im = 0;
                for (int i = 0; i < length; i++) {
                    double angle = -2 * Math.PI * k * i / length;
                    re += signals[lane][i] * Math.cos(angle);
                    im += signals[lane][i] * Math.sin(angle);
                }
                assertThat(power[k * LaneFourier.LANES + lane])
                        .as("lane %d frequency %d", lane, k)
                        .isCloseTo(re * re + im * im, within(1e-9 * length));
            }
        }
    }

    @Test
    void otherLengthsAreRefused() {
        assertThatThrownBy(() -> new LaneFourier(14)).hasMessage("No transform of length 14");
    }
}
