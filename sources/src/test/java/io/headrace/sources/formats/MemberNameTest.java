package io.headrace.sources.formats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberNameTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "./235 Track 2.0 (Clean).mp3 | ./235 Track 2 | 0 (clean).mp3",
                "a..jpg | a | .jpg",
                "S.wav.data | S | wav.data",
                "train.v1/0001.jpg | train.v1/0001 | jpg",
                "22.0/1.1.png | 22.0/1 | 1.png",
                "a.b.c.JPG | a | b.c.jpg",
                "x/y | x/y | ''",
            })
    void splitsAtTheFirstDotOfTheLastPart(String name, String key, String field) {
        assertThat(MemberName.of(name)).isEqualTo(new MemberName(key, field));
    }
}
