package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class OwnedFdTest {
    private final Linux linux = Linux.host();

    @Test
    void closeIsDoneOnceEvenWhenItFails() {
        int[] closes = {0};
        Syscalls failing = (call, a, b, c, d, e, f) -> {
            closes[0]++;
            return -Errno.EINTR;
        };
        OwnedFd fd = new OwnedFd(failing, 100);

        fd.close();
        fd.close();

        assertThat(closes[0]).isEqualTo(1);
    }

    @Test
    void useAfterCloseIsABug() throws ErrnoException {
        OwnedFd fd = linux.memfdCreate("glove");
        fd.close();

        assertThatThrownBy(() -> linux.fstat(fd)).isInstanceOf(Bug.class);
        assertThatThrownBy(fd::borrow).isInstanceOf(Bug.class);
        assertThatThrownBy(fd::release).isInstanceOf(Bug.class);
    }

    @Test
    void releaseHandsTheDescriptorOn() throws ErrnoException {
        OwnedFd first = linux.memfdCreate("glove");
        int number = first.number();

        try (OwnedFd second = first.release()) {
            first.close();

            assertThat(second.number()).isEqualTo(number);
            assertThat(linux.fstat(second).isRegularFile()).isTrue();
            assertThatThrownBy(() -> linux.fstat(first)).isInstanceOf(Bug.class);
        }
    }

    @Test
    void whatIsLentIsTheSameDescriptor() throws ErrnoException {
        try (OwnedFd fd = linux.memfdCreate("glove")) {
            assertThat(linux.fstat(fd.borrow())).isEqualTo(linux.fstat(fd));
        }
    }

    @Test
    void aLeakIsReportedWithTheStackOfItsOpening() throws ErrnoException {
        FdLeaks.watch();
        OwnedFd leaked = openForgetfully();

        Throwable thrown = catchThrowable(FdLeaks::assertNone);
        leaked.close();

        assertThat(thrown).isInstanceOf(Bug.class).hasMessage("1 descriptors were never closed");
        assertThat(thrown).cause().hasStackTraceContaining("openForgetfully");
    }

    private OwnedFd openForgetfully() throws ErrnoException {
        return linux.memfdCreate("glove");
    }

    @Test
    void closedAndReleasedDescriptorsAreNoLeak() throws ErrnoException {
        FdLeaks.watch();

        try (Pipe pipe = linux.pipe();
                OwnedFd handed = pipe.read().release()) {
            assertThat(linux.fstat(handed).isFifo()).isTrue();
        }

        FdLeaks.assertNone();
    }
}
