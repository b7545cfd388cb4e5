package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Events reach who watched, and nobody else. */
@Tag("process")
class WatchTableTest {
    private final Linux linux = Linux.host();
    private final List<String> told = new ArrayList<>();

    private final class Named extends Watched {
        private final String name;
        private Runnable then = () -> {};

        Named(String name) {
            this.name = name;
        }

        @Override
        void happened(int events) {
            told.add(name);
            then.run();
        }
    }

    @Test
    void anEventOfWhatWasClosedInTheSameTurnReachesNobody() throws Exception {
        FdLeaks.watch();
        try (WatchTable table = new WatchTable(linux);
                OwnedFd first = linux.eventfd();
                OwnedFd second = linux.eventfd();
                OwnedFd third = linux.eventfd()) {
            Named one = new Named("one");
            Named two = new Named("two");
            Named heir = new Named("heir");
            table.add(first, one);
            table.add(second, two);
            linux.signal(first);
            linux.signal(second);
            // Whoever is told first closes the other, whose slot is given to somebody else.
            one.then = () -> replace(table, two, second, third, heir);
            two.then = () -> replace(table, one, first, third, heir);

            assertThat(table.tell()).isEqualTo(2);

            assertThat(told).hasSize(1).doesNotContain("heir");
            assertThat(table.size()).isEqualTo(2);
            table.tell();
            assertThat(told).as("a new one is told that it can be written").hasSize(2);
        }
        FdLeaks.assertNone();
    }

    private static void replace(
            WatchTable table, Named closed, OwnedFd closing, OwnedFd fd, Named heir) {
        table.remove(closed);
        closing.close();
        try {
            table.add(fd, heir);
        } catch (glove.sys.ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void slotsAreUsedAgain() throws Exception {
        FdLeaks.watch();
        try (WatchTable table = new WatchTable(linux)) {
            for (int i = 0; i < 1000; i++) {
                Named watched = new Named("x");
                try (OwnedFd fd = linux.eventfd()) {
                    table.add(fd, watched);
                    assertThat(watched.slot).isZero();
                    table.remove(watched);
                }
            }
            assertThat(table.size()).isZero();
        }
        FdLeaks.assertNone();
    }
}
