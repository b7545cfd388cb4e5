package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Linux;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arithmetic of watching. */
@Tag("unit")
final class AccountsTest {
    private static final int INIT = 100;

    private static ProcessStat stat(int parent, long own, long reaped) {
        return new ProcessStat(parent, 1, 5, own, reaped, 10);
    }

    /** A picture of these processes, of which the first is process 1. */
    private static ProcessTree picture(int[] pids, ProcessStat... stats) {
        ProcessTree tree = new ProcessTree(Linux.host(), INIT);
        tree.keepDescendants(INIT, pids, stats);
        return tree;
    }

    @Test
    void descendantsAreFoundInAnyOrderAndNothingElse() {
        ProcessTree tree = picture(
                new int[] {3, 200, INIT, 1, 201},
                stat(201, 1, 0),
                stat(INIT, 2, 0),
                stat(1, 3, 0),
                stat(0, 4, 0),
                stat(200, 5, 0));

        assertThat(tree.count()).isEqualTo(4);
        for (int i = 0; i < tree.count(); i++) {
            assertThat(tree.pid(i)).isNotEqualTo(1);
        }
    }

    @Test
    void whatWasUsedBeforeTheFirstPictureDoesNotCount() {
        CpuAccount account = new CpuAccount();

        account.add(picture(new int[] {INIT}, stat(1, 7, 3)));

        assertThat(account.usedMillis()).isZero();
    }

    @Test
    void childrenWaitedForCountOnce() {
        CpuAccount account = new CpuAccount();
        account.add(picture(new int[] {INIT, 200}, stat(1, 0, 0), stat(INIT, 0, 0)));
        account.add(picture(new int[] {INIT, 200}, stat(1, 0, 0), stat(INIT, 50, 0)));

        account.add(picture(new int[] {INIT}, stat(1, 0, 60)));

        assertThat(account.usedMillis()).isEqualTo(600);
    }

    @Test
    void childrenNobodyWaitedForCountAsFarAsTheyWereSeen() {
        CpuAccount account = new CpuAccount();
        account.add(picture(new int[] {INIT}, stat(1, 0, 0)));
        account.add(picture(new int[] {INIT, 200}, stat(1, 0, 0), stat(INIT, 50, 0)));
        account.add(picture(new int[] {INIT, 201}, stat(1, 0, 0), stat(INIT, 30, 0)));

        account.add(picture(new int[] {INIT}, stat(1, 0, 0)));

        assertThat(account.usedMillis()).isEqualTo(800);
    }

    @Test
    void aProcessThatOnePictureMissedIsNotCountedTwice() {
        CpuAccount account = new CpuAccount();
        account.add(picture(new int[] {INIT}, stat(1, 0, 0)));
        account.add(picture(new int[] {INIT, 200}, stat(1, 0, 0), stat(INIT, 50, 0)));
        account.add(picture(new int[] {INIT}, stat(1, 0, 0)));

        account.add(picture(new int[] {INIT, 200}, stat(1, 0, 0), stat(INIT, 60, 0)));

        assertThat(account.usedMillis()).isEqualTo(600);
    }

    @Test
    void theProportionalShareIsTheLineOfThatName() {
        String text = "555-7ff [rollup]\nRss:  1692 kB\nPss:      254 kB\nPss_Dirty: 108 kB\n";

        assertThat(MemoryAccount.smapsRollup(text)).hasValue(254);
        assertThat(MemoryAccount.smapsRollup("Rss: 1 kB\nPss_Dirty: 3 kB\n")).isEmpty();
        assertThat(MemoryAccount.smapsRollup("")).isEmpty();
    }

    @Test
    void unsharedIsResidentWithoutShared() {
        assertThat(MemoryAccount.unsharedPages("1000 300 100 50 0 80 0\n")).isEqualTo(200);
        assertThat(MemoryAccount.unsharedPages("1000 100 300 50 0 80 0\n")).isZero();
        assertThat(MemoryAccount.unsharedPages("")).isZero();
    }

    @Test
    void theNextLookComesWhenTheLimitCouldBeReached() {
        assertThat(Pace.untilPossible(400, 2)).isEqualTo(200);
        assertThat(Pace.untilPossible(1, 8)).isEqualTo(Pace.LEAST_MILLIS);
        assertThat(Pace.untilPossible(-5, 1)).isEqualTo(Pace.LEAST_MILLIS);
        assertThat(Pace.untilPossible(Long.MAX_VALUE, 1)).isEqualTo(Pace.MOST_MILLIS);
        assertThat(Pace.untilFilled(4L << 30, 2)).isEqualTo(512);
    }

    @Test
    void lookingTakesAFifthOfAProcessorAtMost() {
        assertThat(Pace.affordable(10, 50_000_000)).isEqualTo(200);
        assertThat(Pace.affordable(1000, 50_000_000)).isEqualTo(1000);
    }

    @Test
    void amountsAreWrittenAsTheOptionsTakeThem() {
        assertThat(Amounts.size(4L << 30)).isEqualTo("4G");
        assertThat(Amounts.size(100 << 10)).isEqualTo("100K");
        assertThat(Amounts.size(10)).isEqualTo("10 bytes");
        assertThat(Amounts.time(90_000)).isEqualTo("90s");
        assertThat(Amounts.time(7_200_000)).isEqualTo("2h");
        assertThat(Amounts.time(1_050)).isEqualTo("1.050s");
    }
}
