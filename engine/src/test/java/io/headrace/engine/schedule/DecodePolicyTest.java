package io.headrace.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.schedule.DecodePolicy.Task;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecodePolicyTest {

    @Test
    void firstStepFirstThenTheLongestWorkThenRankAndSequence() {
        List<Task> wanted =
                List.of(
                        new Task(3, 1, 9, 10),
                        new Task(4, 7, 0, 90),
                        new Task(4, 0, 2, 50),
                        new Task(4, 1, 0, 50),
                        new Task(4, 1, 1, 50),
                        new Task(5, 0, 0, 1000));
        long seed = 12;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<Task> tasks = new ArrayList<>(wanted);
            Collections.shuffle(tasks, random);
            tasks.sort(DecodePolicy.FIRST_STEP_FIRST);
            assertThat(tasks).isEqualTo(wanted);
        }
    }

    @Test
    void onlyEqualTasksAreEqualInOrder() {
        Task task = new Task(4, 1, 1, 50);
        assertThat(DecodePolicy.FIRST_STEP_FIRST.compare(task, new Task(4, 1, 1, 50))).isZero();
        assertThat(DecodePolicy.FIRST_STEP_FIRST.compare(task, new Task(4, 1, 2, 50))).isNegative();
        assertThat(DecodePolicy.FIRST_STEP_FIRST.compare(new Task(4, 1, 2, 50), task)).isPositive();
    }
}
