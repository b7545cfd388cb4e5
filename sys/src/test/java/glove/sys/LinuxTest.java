package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Files and the machine, against the real kernel and what the JDK says of it. */
@Tag("process")
class LinuxTest {
    private static final long TMPFS_MAGIC = 0x01021994;
    private static final long PROC_SUPER_MAGIC = 0x9fa0;
    private static final long RESOLVE_NO_SYMLINKS = 0x4;

    private final Linux linux = Linux.host();

    @TempDir
    Path directory;

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private UnixPath path(String name) {
        return UnixPath.of(directory.toString()).resolve(name);
    }

    private static void assertErrno(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void aNameThatIsNotUtf8IsMadeListedAndRemoved() throws ErrnoException {
        UnixPath name = UnixPath.of(new byte[] {'n', (byte) 0xff, '\n'});

        try (OwnedFd dir =
                linux.open(UnixPath.of(directory.toString()), OpenFlags.O_DIRECTORY, 0)) {
            linux.openat(dir, name, OpenFlags.O_WRONLY | OpenFlags.O_CREAT, 0600)
                    .close();
            assertThat(linux.listDirectory(dir)).extracting(DirEntry::name).containsExactly(name);
            assertThat(linux.lstatat(dir, name).isRegularFile()).isTrue();
            linux.unlinkat(dir, name, 0);
        }

        assertThat(linux.listDirectory(UnixPath.of(directory.toString()))).isEmpty();
    }

    @Test
    void statTellsWhatTheJdkTells() throws IOException, ErrnoException {
        Path file = Files.write(directory.resolve("file"), new byte[12345]);
        Files.createLink(directory.resolve("second"), file);

        Stat stat = linux.stat(path("file"));

        assertThat(stat.size()).isEqualTo(12345);
        assertThat(stat.nlink()).isEqualTo(2);
        assertThat(stat.dev()).isEqualTo(Files.getAttribute(file, "unix:dev"));
        assertThat(stat.ino()).isEqualTo(Files.getAttribute(file, "unix:ino"));
        assertThat(stat.mode()).isEqualTo(Files.getAttribute(file, "unix:mode"));
        assertThat(stat.uid()).isEqualTo(Files.getAttribute(file, "unix:uid"));
        assertThat(stat.gid()).isEqualTo(Files.getAttribute(file, "unix:gid"));
        assertThat(stat.isSameFileAs(linux.stat(path("second")))).isTrue();
        Stat device = linux.stat(UnixPath.of("/dev/null"));
        assertThat(device.isCharacterDevice()).isTrue();
        assertThat(device.rdev()).isEqualTo(Files.getAttribute(Path.of("/dev/null"), "unix:rdev"));
    }

    @Test
    void linksAreFollowedOnlyWhereTheMethodSaysSo() throws IOException, ErrnoException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/proc"));

        assertThat(linux.stat(path("link")).isDirectory()).isTrue();
        assertThat(linux.lstat(path("link")).isSymbolicLink()).isTrue();
        assertThat(linux.readlink(path("link"))).isEqualTo(UnixPath.of("/proc"));
        assertErrno(Errno.ELOOP, () -> linux.open(path("link"), OpenFlags.O_NOFOLLOW, 0));
        assertErrno(Errno.ELOOP, () -> linux.openat2(path("link/self"), 0, 0, RESOLVE_NO_SYMLINKS));
        assertErrno(
                Errno.ENOTDIR,
                () -> linux.open(UnixPath.of("/dev/null"), OpenFlags.O_DIRECTORY, 0));
        try (OwnedFd link = linux.open(path("link"), OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW, 0)) {
            assertThat(linux.readlinkat(link, UnixPath.of(""))).isEqualTo(UnixPath.of("/proc"));
        }
    }

    @Test
    void whatIsMissingIsEmptyOrAnError() throws ErrnoException {
        assertThat(linux.lstatIfPresent(path("missing"))).isEmpty();
        assertThat(linux.lstatIfPresent(UnixPath.of("/dev/null/x"))).isEmpty();
        assertThatThrownBy(() -> linux.stat(UnixPath.of("/no\nthing")))
                .hasMessage("fstatat '/no\\x0athing': ENOENT (no such file or directory)");
    }

    @Test
    void aPathTooLongForTheKernelIsItsError() {
        assertErrno(Errno.ENAMETOOLONG, () -> linux.stat(UnixPath.of("/a".repeat(2048))));
        assertErrno(Errno.ENAMETOOLONG, () -> linux.stat(UnixPath.of("/".repeat(100_000))));
        assertErrno(Errno.ENOENT, () -> linux.stat(UnixPath.of("/a".repeat(2047))));
    }

    @Test
    void readFileRefusesMoreThanItsLimit() throws IOException, ErrnoException {
        byte[] bytes = pattern(200_000);
        Files.write(directory.resolve("file"), bytes);

        assertThat(linux.readFile(path("file"), 200_000)).isEqualTo(bytes);
        assertThat(linux.readFile(path("file"), Integer.MAX_VALUE)).isEqualTo(bytes);
        assertErrno(Errno.EFBIG, () -> linux.readFile(path("file"), 199_999));
        assertErrno(Errno.EFBIG, () -> linux.readFile(path("file"), 10));
        assertErrno(Errno.EFBIG, () -> linux.readFile(path("file"), 0));
    }

    @Test
    void readFileRefusesASmallFileBeyondItsLimit() throws IOException, ErrnoException {
        Files.write(directory.resolve("file"), new byte[] {1, 2, 3});

        assertThat(linux.readFile(path("file"), 3)).containsExactly(1, 2, 3);
        assertErrno(Errno.EFBIG, () -> linux.readFile(path("file"), 2));
    }

    @Test
    void filesOfProcAreReadToTheirEnd() throws IOException, ErrnoException {
        byte[] mounts = linux.readFile(UnixPath.of("/proc/self/mountinfo"), 1 << 22);

        assertThat(mounts).isEqualTo(Files.readAllBytes(Path.of("/proc/self/mountinfo")));
        assertThat(linux.readFile(UnixPath.of("/dev/null"), 0)).isEmpty();
    }

    @Test
    void readTailGivesTheLastBytesOfAnyNumber() throws IOException, ErrnoException {
        byte[] bytes = pattern(200_000);
        Files.write(directory.resolve("file"), bytes);

        try (OwnedFd fd = linux.open(path("file"), 0, 0)) {
            assertThat(linux.readTail(fd, 3))
                    .isEqualTo(Arrays.copyOfRange(bytes, 199_997, 200_000));
            assertThat(linux.readTail(fd, 150_000))
                    .isEqualTo(Arrays.copyOfRange(bytes, 50_000, 200_000));
            assertThat(linux.readTail(fd, 1 << 20)).isEqualTo(bytes);
        }
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((i * 31) >> 3);
        }
        return bytes;
    }

    @Test
    void bytesWrittenAreThere() throws IOException, ErrnoException {
        byte[] bytes = pattern(150_000);
        int flags = OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_EXCL;
        try (OwnedFd fd = linux.open(path("file"), flags, 0600)) {
            assertThat(linux.accessMode(fd)).isEqualTo(OpenFlags.O_WRONLY);
            linux.writeFully(fd, bytes);
            linux.fchmod(fd, 0640);
            linux.fsync(fd);
            linux.fdatasync(fd);
            assertThat(Files.readAllBytes(directory.resolve("file"))).isEqualTo(bytes);
            linux.ftruncate(fd, 5);
            assertThat(linux.fstat(fd).size()).isEqualTo(5);
            assertThat(linux.fstat(fd).mode() & 07777).isEqualTo(0640);
        }
        assertErrno(Errno.EEXIST, () -> linux.open(path("file"), flags, 0600));
    }

    @Test
    void bytesAreWrittenAndReadAtAnOffsetAndChangeTheTime() throws IOException, ErrnoException {
        byte[] bytes = pattern(150_000);
        int flags = OpenFlags.O_RDWR | OpenFlags.O_CREAT | OpenFlags.O_EXCL;
        try (OwnedFd fd = linux.open(path("file"), flags, 0600)) {
            linux.writeFully(fd, new byte[] {1, 2, 3});
            linux.pwriteFully(fd, bytes, 2);
            linux.writeFully(fd, new byte[] {9});

            assertThat(linux.pread(fd, 2, 0)).containsExactly(1, 2);
            assertThat(linux.pread(fd, 10, 149_998))
                    .containsExactly(
                            bytes[149_996], bytes[149_997], bytes[149_998], bytes[149_999]);
            assertThat(linux.pread(fd, 10, 150_002)).isEmpty();
            assertThat(linux.pread(fd, 1, 3)).containsExactly(9);
            FileTime expected =
                    (FileTime) Files.getAttribute(directory.resolve("file"), "unix:ctime");
            Stat.Time ctime = linux.fstat(fd).ctime();
            assertThat(FileTime.from(Instant.ofEpochSecond(ctime.seconds(), ctime.nanos())))
                    .isEqualTo(expected);
        }
    }

    @Test
    void namesAreRenamedExchangedAndRemoved() throws ErrnoException {
        UnixPath a = UnixPath.of("a");
        UnixPath b = UnixPath.of("b");
        try (OwnedFd dir =
                linux.open(UnixPath.of(directory.toString()), OpenFlags.O_DIRECTORY, 0)) {
            linux.mkdirat(dir, a, 0700);
            linux.openat(dir, b, OpenFlags.O_CREAT, 0600).close();

            assertErrno(
                    Errno.EEXIST,
                    () -> linux.renameat2(dir, a, dir, b, NameCalls.RENAME_NOREPLACE));
            linux.renameat2(dir, a, dir, b, NameCalls.RENAME_EXCHANGE);
            assertThat(linux.lstatat(dir, b).isDirectory()).isTrue();
            linux.unlinkat(dir, b, NameCalls.AT_REMOVEDIR);
            linux.unlinkat(dir, a, 0);
            assertThat(linux.listDirectory(dir)).isEmpty();
        }
    }

    @Test
    void aLargeDirectoryIsListedWhole() throws IOException, ErrnoException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            String name = String.format(Locale.ROOT, "%s-%d", "n".repeat(i % 90), i);
            names.add(name);
            Files.createFile(directory.resolve(name));
        }

        assertThat(linux.listDirectory(UnixPath.of(directory.toString())))
                .extracting(entry -> entry.name().toString())
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void aSealedMemoryFileCannotBeChanged() throws ErrnoException {
        try (OwnedFd fd = linux.memfdCreate("glove")) {
            linux.writeFully(fd, new byte[] {1});
            linux.sealAll(fd);

            assertErrno(Errno.EPERM, () -> linux.writeFully(fd, new byte[] {2}));
            assertErrno(Errno.EPERM, () -> linux.ftruncate(fd, 0));
        }
    }

    @Test
    void everyDescriptorIsCloseOnExec() throws ErrnoException {
        int fGetfd = 1;
        try (Pipe pipe = linux.pipe();
                SocketPair pair = linux.socketpair(FileCalls.SOCK_STREAM);
                OwnedFd memory = linux.memfdCreate("glove");
                OwnedFd file = linux.open(UnixPath.of("/dev/null"), 0, 0);
                OwnedFd second = linux.openat2(UnixPath.of("/dev/null"), 0, 0, 0);
                OwnedFd process = linux.pidfdOpen(linux.getpid());
                OwnedFd copy = linux.dup(file)) {
            for (OwnedFd fd : List.of(
                    pipe.read(),
                    pipe.write(),
                    pair.first(),
                    pair.second(),
                    memory,
                    file,
                    second,
                    process,
                    copy)) {
                assertThat(linux.fcntl(fd, fGetfd, 0)).isEqualTo(FileCalls.FD_CLOEXEC);
            }
            linux.fcntl(copy, FileCalls.F_SETFD, 0);
            assertThat(linux.fcntl(copy, fGetfd, 0)).isZero();
        }
    }

    @Test
    void packetsKeepTheirBounds() throws ErrnoException {
        try (SocketPair pair = linux.socketpair(FileCalls.SOCK_SEQPACKET)) {
            linux.write(pair.first(), new byte[] {1, 2});
            linux.write(pair.first(), new byte[] {3});

            assertThat(linux.read(pair.second(), 100)).containsExactly(1, 2);
            assertThat(linux.read(pair.second(), 100)).containsExactly(3);
        }
    }

    @Test
    void pollTellsWhichIsReady() throws ErrnoException {
        try (Pipe first = linux.pipe();
                Pipe second = linux.pipe()) {
            List<PollFd> both = List.of(
                    new PollFd(first.read(), PollFd.POLLIN),
                    new PollFd(second.read(), PollFd.POLLIN));

            assertThat(linux.poll(both, 1)).containsExactly(0, 0);
            linux.writeFully(second.write(), new byte[] {1});
            assertThat(linux.poll(both, 10_000)).containsExactly(0, PollFd.POLLIN);
            first.write().close();
            assertThat(linux.poll(both, 10_000)).containsExactly(PollFd.POLLHUP, PollFd.POLLIN);
        }
    }

    @Test
    void aLockIsRefusedAtOnceToTheSecond() throws ErrnoException {
        int flags = OpenFlags.O_RDWR | OpenFlags.O_CREAT;
        try (OwnedFd second = linux.open(path("lock"), flags, 0600)) {
            try (OwnedFd first = linux.open(path("lock"), flags, 0600)) {
                linux.lock(first);

                assertErrno(Errno.EAGAIN, () -> linux.lock(second));
            }
            linux.lock(second);
        }
    }

    @Test
    void pathsOfOpenFilesAreAbsolute() throws IOException, ErrnoException {
        Files.createFile(directory.resolve("file"));
        try (OwnedFd fd = linux.open(path("../" + directory.getFileName() + "/file"), 0, 0)) {
            assertThat(linux.pathOf(fd)).isEqualTo(UnixPath.of(directory.toRealPath() + "/file"));
        }
        assertThat(linux.absolute(UnixPath.of("x/../y")))
                .isEqualTo(UnixPath.of(Path.of("").toRealPath() + "/y"));
    }

    @Test
    void executableIsWhatMayBeExecuted() throws IOException {
        Files.createFile(directory.resolve("file"));

        assertThat(linux.isExecutable(UnixPath.of("/bin/sh"))).isTrue();
        assertThat(linux.isExecutable(path("file"))).isFalse();
        assertThat(linux.isAccessible(path("file"), NameCalls.R_OK | NameCalls.W_OK))
                .isTrue();
        assertThat(linux.isAccessible(path("missing"), NameCalls.R_OK)).isFalse();
    }

    @Test
    void theMachineIsDescribedAsByProc() throws IOException, ErrnoException {
        String memory = Files.readString(Path.of("/proc/meminfo"));
        long kibibytes = Long.parseLong(
                memory.substring(memory.indexOf(':') + 1, memory.indexOf(" kB")).strip());

        assertThat(linux.totalRam()).isEqualTo(kibibytes * 1024);
        assertThat(linux.release())
                .isEqualTo(
                        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        assertThat(linux.statfsType(UnixPath.of("/proc"))).isEqualTo(PROC_SUPER_MAGIC);
        try (OwnedFd memfd = linux.memfdCreate("glove")) {
            assertThat(linux.fstatfsType(memfd)).isEqualTo(TMPFS_MAGIC);
            assertThat(linux.isTerminal(memfd)).isFalse();
        }
    }

    @Test
    void thisProcessIsDescribedAsByProc() throws IOException, ErrnoException {
        String status = Files.readString(Path.of("/proc/self/status"), StandardCharsets.UTF_8);

        assertThat(linux.getpid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(field(status, "Uid:"))
                .startsWith(linux.getuid() + "\t" + linux.geteuid() + "\t");
        assertThat(field(status, "Gid:"))
                .startsWith(linux.getgid() + "\t" + linux.getegid() + "\t");
        StringBuilder groups = new StringBuilder();
        for (int group : linux.getgroups()) {
            groups.append(group).append(' ');
        }
        assertThat(field(status, "Groups:").strip()).isEqualTo(groups.toString().strip());
        String limits = Files.readString(Path.of("/proc/self/limits"), StandardCharsets.UTF_8);
        Linux.Limit files = linux.openFileLimit();
        assertThat(field(limits, "Max open files").strip().split(" +", -1))
                .startsWith(Long.toString(files.soft()), Long.toString(files.hard()));
        int prGetNoNewPrivs = 39;
        assertThat(field(status, "NoNewPrivs:").strip())
                .isEqualTo("" + linux.prctl(prGetNoNewPrivs, 0));
        assertErrno(Errno.EINVAL, () -> linux.prctl(99_999, 0));
    }

    private static String field(String text, String name) {
        int start = text.indexOf(name) + name.length();
        return text.substring(start, text.indexOf('\n', start)).stripLeading();
    }
}
