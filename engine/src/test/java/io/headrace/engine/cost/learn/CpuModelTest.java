package io.headrace.engine.cost.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.cost.learn.CpuKey.Operation;
import io.headrace.engine.descriptor.Codec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuModelTest {

    private static final CpuKey JPEG = new CpuKey(Codec.JPEG, Operation.DECODE);
    private static final CpuKey VIDEO = new CpuKey(Codec.H264, Operation.DECODE_FRAMES);
    private static final CpuKey TEXT = new CpuKey(Codec.TEXT, Operation.TOKENIZE);

    private final CpuModel model = new CpuModel();
    private long state = 5;

    private double uniform() {
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1p-53;
    }

    private CpuWork jpeg() {
        double pixels = 1e5 * Math.exp(3 * uniform());
        return new CpuWork(JPEG, pixels, pixels * (0.1 + 0.2 * uniform()), Math.min(pixels, 1e6));
    }

    private CpuWork video() {
        double pixels = 1e7 * Math.exp(2 * uniform());
        return new CpuWork(VIDEO, pixels, pixels * 0.02, pixels / 10);
    }

    private static double truth(CpuWork work) {
        return switch (work.key().operation()) {
            case DECODE -> 2e5 + 5 * work.units() + 8 * work.payloadBytes() + 7 * work.outputs();
            case DECODE_FRAMES -> 3e6 + 2.5 * work.units() + 20 * work.payloadBytes();
            case TOKENIZE -> 1e4 + 900 * work.units();
            case DECODE_SCALED -> work.units();
        };
    }

    private void observe(List<CpuWork> parts) {
        double noise = 0.95 + 0.1 * uniform();
        model.observe(parts, noise * parts.stream().mapToDouble(CpuModelTest::truth).sum());
    }

    @Test
    void eachCodecIsLearntOnItsOwn() {
        for (int i = 0; i < 2000; i++) {
            observe(List.of(i % 3 == 0 ? video() : jpeg()));
        }
        assertThat(model.errors().quantile(0.5)).isLessThan(0.04);
        assertThat(model.errors().quantile(0.95)).isLessThan(0.12);
        assertThat(model.costs()).containsOnlyKeys(JPEG, VIDEO);
        CpuWork one = jpeg();
        assertThat(model.predictNanos(List.of(one)) / truth(one)).isBetween(0.93, 1.07);
    }

    @Test
    void samplesOfSeveralPartsAreSharedOutByTheModel() {
        for (int i = 0; i < 2000; i++) {
            List<CpuWork> parts = new ArrayList<>();
            for (int image = 0; image <= (int) (3 * uniform()); image++) {
                parts.add(jpeg());
            }
            double tokens = 50 + 500 * uniform();
            parts.add(new CpuWork(TEXT, tokens, 4 * tokens, tokens));
            observe(parts);
        }
        assertThat(model.errors().quantile(0.5)).isLessThan(0.05);
        assertThat(model.errors().quantile(0.95)).isLessThan(0.15);
    }

    @Test
    void anErrorWindowTellsQuantilesOfTheLastPredictions() {
        ErrorWindow window = new ErrorWindow();
        assertThat(window.quantile(0.5)).isZero();
        for (int i = 0; i < 5000; i++) {
            window.add(i < 3000 ? 500 : 100 + i % 100, 100);
        }
        window.add(5, 0);
        assertThat(window.added()).isEqualTo(5000);
        assertThat(window.quantile(0.5)).isBetween(0.48, 0.52);
        assertThat(window.quantile(0.95)).isBetween(0.93, 0.97);
        assertThat(window.quantile(1)).isEqualTo(0.99);
    }
}
