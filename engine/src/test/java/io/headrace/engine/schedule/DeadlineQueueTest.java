package io.headrace.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.engine.schedule.DeadlineQueue.Settings;
import io.headrace.engine.schedule.DecodePolicy.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineQueueTest {

    private record Work(Task task) implements DecodeQueue.Item {}

    private static Work work(long step, int rank, int sequence, long nanos) {
        return new Work(new Task(step, rank, sequence, nanos));
    }

    private static DeadlineQueue<Work> queue(int workers) {
        return new DeadlineQueue<>(new Settings(workers, Long.MAX_VALUE), null);
    }

    private static List<Task> drain(DeadlineQueue<Work> queue, long now) {
        List<Task> order = new ArrayList<>();
        for (Work next = queue.next(now); next != null; next = queue.next(now)) {
            order.add(next.task());
        }
        return order;
    }

    @Test
    void withoutWindowsStepsGoInOrderAndTheLongestItemFirst() {
        DeadlineQueue<Work> queue = queue(2);
        for (Work item :
                List.of(work(1, 0, 0, 900), work(0, 0, 0, 5), work(0, 1, 0, 7), work(0, 0, 1, 7))) {
            queue.add(item, 0);
        }
        assertThat(queue.size()).isEqualTo(4);
        assertThat(drain(queue, 0))
                .extracting(Task::step, Task::rank, Task::sequence)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0L, 0, 1),
                        org.assertj.core.groups.Tuple.tuple(0L, 1, 0),
                        org.assertj.core.groups.Tuple.tuple(0L, 0, 0),
                        org.assertj.core.groups.Tuple.tuple(1L, 0, 0));
        assertThat(queue.size()).isZero();
        assertThat(queue.next(0)).isNull();
    }

    @Test
    void anItemOfALaterStepGoesFirstOnceItsSlackIsUsedUp() {
        DeadlineQueue<Work> queue = queue(4);
        queue.window(0, 1000);
        queue.window(1, 1000);
        queue.begun(0, 0);
        for (int i = 0; i < 20; i++) {
            queue.add(work(1, i % 4, i, 10), 0);
        }
        queue.add(work(2, 0, 0, 1500), 0);
        Work first = queue.next(0);
        assertThat(first).isNotNull();
        assertThat(first.task().step()).as("slack is left").isEqualTo(1);
        queue.ended(first, 10);
        Work urgent = queue.next(800);
        assertThat(urgent).isNotNull();
        assertThat(urgent.task().step()).as("1500 of work, 1200 left").isEqualTo(2);
    }

    @Test
    void aStepThatIsLateByExceptionIsFinishedRankByRank() {
        DeadlineQueue<Work> queue = queue(1);
        queue.window(0, 100);
        queue.window(1, 10_000);
        queue.begun(0, 0);
        for (int rank = 0; rank < 3; rank++) {
            for (int i = 0; i < 5 - rank; i++) {
                queue.add(work(1, rank, i, 20 + rank), 0);
            }
        }
        queue.add(work(2, 0, 0, 10), 0);
        assertThat(drain(queue, 0).stream().limit(12).map(Task::rank).toList())
                .containsExactly(2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0);
    }

    @Test
    void memoryInFlightIsBoundedAndLookAheadTakesHalfOfIt() {
        DeadlineQueue<Work> queue = new DeadlineQueue<>(new Settings(8, 100), null);
        Work large = new Work(new Task(0, 0, 0, 10, 500, 1));
        Work small = new Work(new Task(0, 0, 1, 9, 60, 1));
        queue.add(large, 0);
        queue.add(small, 0);
        assertThat(queue.next(0)).as("one alone may take more").isSameAs(large);
        assertThat(queue.next(0)).isNull();
        queue.ended(large, 10);
        assertThat(queue.next(10)).isSameAs(small);
        Work next = new Work(new Task(0, 0, 2, 8, 60, 1));
        queue.add(next, 10);
        assertThat(queue.next(10)).isNull();
        queue.ended(small, 20);
        assertThat(queue.next(20)).isSameAs(next);
    }

    @Test
    void anItemThatOutlastsTheTimeLeftIsSplit() {
        DeadlineQueue<Work> queue =
                new DeadlineQueue<>(
                        new Settings(4, Long.MAX_VALUE),
                        (item, pieces) -> {
                            List<Work> cut = new ArrayList<>();
                            for (int i = 0; i < pieces; i++) {
                                long nanos = item.task().predictedNanos() / pieces;
                                cut.add(work(item.task().step(), item.task().rank(), i, nanos));
                            }
                            return cut;
                        });
        queue.window(0, 500);
        queue.window(1, 500);
        queue.begun(0, 0);
        queue.add(new Work(new Task(1, 0, 0, 1000, 0, 16)), 0);
        queue.add(new Work(new Task(1, 1, 0, 100, 0, 16)), 0);
        assertThat(drain(queue, 0))
                .extracting(Task::predictedNanos)
                .containsExactly(500L, 500L, 100L);
    }

    @Test
    void lateWorkOfTheFirstStepIsGivenOnceMoreAndOnlyOnce() {
        DeadlineQueue<Work> queue = queue(4);
        Work item = work(0, 0, 0, 100);
        queue.add(item, 0);
        assertThat(queue.next(0)).isSameAs(item);
        assertThat(queue.again(200)).isNull();
        assertThat(queue.again(301)).isSameAs(item);
        assertThat(queue.again(1000)).isNull();
        queue.ended(item, 1000);
        assertThat(queue.again(2000)).isNull();
    }

    @Test
    void slackIsDeadlineLessNowLessWork() {
        DeadlineQueue<Work> queue = queue(2);
        queue.window(4, 1000);
        queue.window(5, 300);
        queue.begun(4, 100);
        queue.add(work(5, 0, 0, 400), 100);
        queue.add(work(6, 0, 0, 600), 100);
        List<DeadlineQueue.StepSlack> slack = queue.slack(200);
        assertThat(slack).extracting(DeadlineQueue.StepSlack::step).containsExactly(5L, 6L);
        assertThat(slack.getFirst().deadlineNanos()).isEqualTo(1100);
        assertThat(slack.getFirst().slackNanos()).isEqualTo(1100 - 200 - 200);
        assertThat(slack.getLast().deadlineNanos()).isEqualTo(1400);
        assertThat(slack.getLast().slackNanos()).isEqualTo(1400 - 200 - 500);
    }

    @Test
    void stepsFarApartAreServedWithoutWalkingBetweenThem() {
        DeadlineQueue<Work> queue = queue(1);
        queue.window(3, 10);
        queue.begun(3, 0);
        queue.add(work(4_000_000_000L, 0, 0, 5), 0);
        queue.add(work(2, 0, 0, 5), 0);
        assertThat(drain(queue, 50)).extracting(Task::step).containsExactly(2L, 4_000_000_000L);
    }
}
