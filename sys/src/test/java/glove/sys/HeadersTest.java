package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Numbers, offsets and flags in Java against the C headers of both machines. */
@Tag("process")
class HeadersTest {
    private static final Path LAYOUTS = CCompiler.SOURCES.resolve("layouts.c");

    @TempDir
    Path directory;

    @Test
    void layoutsAreThoseOfThisMachinesHeaders() throws Exception {
        Map<String, Integer> real = numbers(
                CCompiler.run(List.of(CCompiler.program(LAYOUTS, directory).toString())));

        assertThat(layouts(Arch.host())).isEqualTo(real);
    }

    @Test
    void layoutsAreThoseOfAarch64() throws Exception {
        StringBuilder source = new StringBuilder("#include \"" + LAYOUTS + "\"\n");
        layouts(Arch.AARCH64)
                .forEach((name, value) -> source.append("_Static_assert(LAYOUT_")
                        .append(name + " == " + value + ", \"" + name + "\");\n"));

        CCompiler.checkForAarch64(source.toString(), directory);
    }

    @Test
    void callNumbersAreThoseOfThisMachinesHeaders() throws Exception {
        StringBuilder source = new StringBuilder(
                "#include <stdio.h>\n#include <sys/syscall.h>\nint main(void) {\n");
        for (Call call : Call.values()) {
            source.append("printf(\"" + call + " %d\\n\", SYS_" + lower(call) + ");\n");
        }
        Path file =
                Files.writeString(directory.resolve("calls.c"), source.append("return 0;\n}\n"));
        Map<String, Integer> real =
                numbers(CCompiler.run(List.of(CCompiler.program(file, directory).toString())));

        Map<String, Integer> ours = new TreeMap<>();
        for (Call call : Call.values()) {
            ours.put(call.toString(), call.number());
        }
        assertThat(ours).isEqualTo(real);
    }

    @Test
    void callNumbersAreThoseOfAarch64() throws Exception {
        StringBuilder source = new StringBuilder("#include <sys/syscall.h>\n");
        for (Call call : Call.values()) {
            source.append("_Static_assert(SYS_" + lower(call) + " == " + call.number(Arch.AARCH64))
                    .append(", \"" + call + "\");\n");
        }

        CCompiler.checkForAarch64(source.toString(), directory);
    }

    @Test
    void theCheckForAarch64NoticesAWrongNumber() throws IOException, InterruptedException {
        CCompiler.checkForAarch64("_Static_assert(1, \"right\");\n", directory);

        assertThat(catchThrowable(() ->
                        CCompiler.checkForAarch64("_Static_assert(0, \"wrong\");\n", directory)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("wrong");
    }

    private static String lower(Call call) {
        return call.toString().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Integer> numbers(String lines) {
        Map<String, Integer> numbers = new TreeMap<>();
        for (String line : lines.split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                numbers.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
            }
        }
        return numbers;
    }

    private static Map<String, Integer> layouts(Arch arch) {
        Map<String, Integer> ours = new TreeMap<>();
        stat(ours, StatLayout.of(arch));
        structures(ours);
        notifications(ours);
        ours.put("EPOLL_EVENT_SIZE", EpollEvents.size(arch));
        ours.put("EPOLL_EVENT_DATA", EpollEvents.dataAt(arch));
        ours.put("O_CREAT", OpenFlags.O_CREAT);
        ours.put("O_EXCL", OpenFlags.O_EXCL);
        ours.put("O_NOCTTY", OpenFlags.O_NOCTTY);
        ours.put("O_TRUNC", OpenFlags.O_TRUNC);
        ours.put("O_APPEND", OpenFlags.O_APPEND);
        ours.put("O_NONBLOCK", OpenFlags.O_NONBLOCK);
        ours.put("O_PATH", OpenFlags.O_PATH);
        ours.put("O_CLOEXEC", OpenFlags.O_CLOEXEC);
        ours.put("O_DIRECTORY", OpenFlags.directory(arch));
        ours.put("O_NOFOLLOW", OpenFlags.nofollow(arch));
        return ours;
    }

    private static void stat(Map<String, Integer> ours, StatLayout layout) {
        ours.put("STAT_SIZE", layout.bytes);
        ours.put("STAT_DEV", StatLayout.DEV);
        ours.put("STAT_INO", StatLayout.INO);
        ours.put("STAT_MODE", layout.mode);
        ours.put("STAT_NLINK", layout.nlink);
        ours.put("STAT_NLINK_BYTES", layout.nlinkBytes());
        ours.put("STAT_UID", layout.uid());
        ours.put("STAT_GID", layout.gid());
        ours.put("STAT_RDEV", layout.rdev);
        ours.put("STAT_BYTES", StatLayout.SIZE);
        ours.put("STAT_CTIME", StatLayout.CTIME);
        ours.put("STAT_CTIME_NSEC", StatLayout.CTIME_NSEC);
    }

    private static void notifications(Map<String, Integer> ours) {
        ours.put("SECCOMP_NOTIF_SIZE", Layouts.SECCOMP_NOTIF_SIZE);
        ours.put("SECCOMP_NOTIF_PID", Layouts.SECCOMP_NOTIF_PID);
        ours.put("SECCOMP_NOTIF_NR", Layouts.SECCOMP_NOTIF_NR);
        ours.put("SECCOMP_NOTIF_ARGS", Layouts.SECCOMP_NOTIF_ARGS);
        ours.put("SECCOMP_NOTIF_RESP_SIZE", Layouts.SECCOMP_NOTIF_RESP_SIZE);
        ours.put("SECCOMP_NOTIF_RESP_ERROR", Layouts.SECCOMP_NOTIF_RESP_ERROR);
        ours.put("SECCOMP_NOTIF_RESP_FLAGS", Layouts.SECCOMP_NOTIF_RESP_FLAGS);
    }

    private static void structures(Map<String, Integer> ours) {
        ours.put("OPEN_HOW_SIZE", Layouts.OPEN_HOW_SIZE);
        ours.put("OPEN_HOW_MODE", Layouts.OPEN_HOW_MODE);
        ours.put("OPEN_HOW_RESOLVE", Layouts.OPEN_HOW_RESOLVE);
        ours.put("DIRENT64_RECLEN", Layouts.DIRENT64_RECLEN);
        ours.put("DIRENT64_TYPE", Layouts.DIRENT64_TYPE);
        ours.put("DIRENT64_NAME", Layouts.DIRENT64_NAME);
        ours.put("SIGINFO_SIZE", Layouts.SIGINFO_SIZE);
        ours.put("SIGINFO_CODE", Layouts.SIGINFO_CODE);
        ours.put("SIGINFO_PID", Layouts.SIGINFO_PID);
        ours.put("SIGINFO_STATUS", Layouts.SIGINFO_STATUS);
        ours.put("RLIMIT64_SIZE", Layouts.RLIMIT64_SIZE);
        ours.put("RLIMIT64_MAX", Layouts.RLIMIT64_MAX);
        ours.put("STATFS_SIZE", Layouts.STATFS_SIZE);
        ours.put("STATFS_TYPE", Layouts.STATFS_TYPE);
        ours.put("STATFS_FLAGS", Layouts.STATFS_FLAGS);
        ours.put("SYSINFO_SIZE", Layouts.SYSINFO_SIZE);
        ours.put("SYSINFO_TOTALRAM", Layouts.SYSINFO_TOTALRAM);
        ours.put("SYSINFO_MEM_UNIT", Layouts.SYSINFO_MEM_UNIT);
        ours.put("POLLFD_SIZE", Layouts.POLLFD_SIZE);
        ours.put("POLLFD_EVENTS", Layouts.POLLFD_EVENTS);
        ours.put("POLLFD_REVENTS", Layouts.POLLFD_REVENTS);
        ours.put("TIMESPEC_SIZE", Layouts.TIMESPEC_SIZE);
        ours.put("TIMESPEC_NSEC", Layouts.TIMESPEC_NSEC);
        ours.put("UTSNAME_SIZE", Layouts.UTSNAME_SIZE);
        ours.put("UTSNAME_RELEASE", Layouts.UTSNAME_RELEASE);
        ours.put("RUSAGE_SIZE", Layouts.RUSAGE_SIZE);
        ours.put("RUSAGE_STIME", Layouts.RUSAGE_STIME);
        ours.put("TIMEVAL_USEC", Layouts.TIMEVAL_USEC);
        ours.put("SOCKADDR_UN_SIZE", Layouts.SOCKADDR_UN_SIZE);
        ours.put("SOCKADDR_UN_PATH", Layouts.SOCKADDR_UN_PATH);
        ours.put("UCRED_SIZE", Layouts.UCRED_SIZE);
        ours.put("UCRED_UID", Layouts.UCRED_UID);
        ours.put("SOCKADDR_IN_SIZE", Layouts.SOCKADDR_IN_SIZE);
        ours.put("SOCKADDR_IN_PORT", Layouts.SOCKADDR_IN_PORT);
        ours.put("SOCKADDR_IN_ADDR", Layouts.SOCKADDR_IN_ADDR);
        ours.put("SOCKADDR_IN6_SIZE", Layouts.SOCKADDR_IN6_SIZE);
        ours.put("SOCKADDR_IN6_PORT", Layouts.SOCKADDR_IN6_PORT);
        ours.put("SOCKADDR_IN6_ADDR", Layouts.SOCKADDR_IN6_ADDR);
        ours.put("MSGHDR_SIZE", Layouts.MSGHDR_SIZE);
        ours.put("MSGHDR_IOV", Layouts.MSGHDR_IOV);
        ours.put("MSGHDR_IOVLEN", Layouts.MSGHDR_IOVLEN);
        ours.put("MSGHDR_CONTROL", Layouts.MSGHDR_CONTROL);
        ours.put("MSGHDR_CONTROLLEN", Layouts.MSGHDR_CONTROLLEN);
        ours.put("IOVEC_SIZE", Layouts.IOVEC_SIZE);
        ours.put("IOVEC_LENGTH", Layouts.IOVEC_LENGTH);
        ours.put("CMSG_LEVEL", Layouts.CMSG_LEVEL);
        ours.put("CMSG_TYPE", Layouts.CMSG_TYPE);
        ours.put("CMSG_DATA", Layouts.CMSG_DATA);
        ours.put("CMSG_SPACE_OF_FD", Layouts.CMSG_SPACE_OF_FD);
        ours.put("WINSIZE_SIZE", Layouts.WINSIZE_SIZE);
        ours.put("TERMIOS_SIZE", Layouts.TERMIOS_SIZE);
    }
}
