package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is in the way on a host, told by the call that failed. */
@Tag("unit")
final class HostHintTest {
    @Test
    void aFullDiskIsNoLimitOfMounts() {
        Linux full = new Linux((call, a, b, c, d, e, f) -> -Errno.ENOSPC);

        ErrnoException disk =
                catchThrowableOfType(ErrnoException.class, () -> full.fsync(BorrowedFd.STDERR));

        assertThat(HostHint.of(disk)).contains("df").doesNotContain("mount");
        assertThat(HostHint.words(Errno.ENOSPC)).contains("fs.mount-max").doesNotContain("df");
    }

    @Test
    void aUsersQuotaIsNamedWithTheKnob() {
        assertThat(HostHint.words(Errno.EDQUOT)).contains("kernel.keys.maxkeys");
    }
}
