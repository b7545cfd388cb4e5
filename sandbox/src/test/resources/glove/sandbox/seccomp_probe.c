/*
 * Tries calls with and without a filter, each in a process of its own, in the current directory.
 *
 *   seccomp_probe agent|init none|FILTER    prints "NAME RESULT" for each call of a list
 *
 * RESULT is 0, an errno, or -SIGNAL when the call ended the process. "none" loads nothing: the
 * control. Every call is harmless where it is allowed: an ordinary user makes it, on files of the
 * current directory, or with arguments the kernel refuses.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_statmount
#define __NR_statmount 457
#endif

#define HIGH (0xdeadbeefUL << 32)
#define NOBODY 65534
#define NOT_LOADED 254
#define MAKE (O_CREAT | O_WRONLY)
#define NEWUSER 0x10000000UL

static struct sock_filter instructions[4096];
static struct sock_fprog program = {0, instructions};
static int file;

static int result(long value) {
    return value < 0 ? errno : 0;
}

#define SYS(...) result(syscall(__VA_ARGS__))

static int clone_flags(unsigned long flags) {
    long child = syscall(__NR_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        _exit(0);
    }
    return result(child);
}

static int ask_limits(long pid) {
    struct rlimit64 limit;
    return SYS(__NR_prlimit64, pid, RLIMIT_NOFILE, NULL, &limit);
}

static int pair(unsigned long family) {
    int ends[2];
    return SYS(__NR_socketpair, family, 1, 0, ends);
}

#ifdef __x86_64__
static int i386_getpid(void) {
    long value = 20;
    __asm__ volatile("int $0x80" : "+a"(value) : : "memory", "r8", "r9", "r10", "r11");
    return value < 0 ? (int)-value : 0;
}

#define AGENT_X86(X) \
    X(chmod_4755, SYS(__NR_chmod, "file", 04755)) \
    X(creat_4755, SYS(__NR_creat, "made", 04755)) \
    X(open_creat_2755, SYS(__NR_open, "made", MAKE, 02755)) \
    X(x32_getpid, SYS(0x40000000L | __NR_getpid)) \
    X(i386_getpid, i386_getpid())
#else
#define AGENT_X86(X)
#endif

/* PTRACE_ATTACH is 16; AT_ flags 0x40000000 are none. */
#define AGENT(X) \
    X(getppid, SYS(__NR_getppid)) \
    X(fchmod_4755, SYS(__NR_fchmod, file, 04755)) \
    X(fchmod_2755_high, SYS(__NR_fchmod, file, HIGH | 02755)) \
    X(fchmod_0755, SYS(__NR_fchmod, file, 0755)) \
    X(fchmodat_6755, SYS(__NR_fchmodat, AT_FDCWD, "file", 06755)) \
    X(fchmodat2_4755, SYS(__NR_fchmodat2, AT_FDCWD, "file", 04755, 0)) \
    X(openat_creat_4755, SYS(__NR_openat, AT_FDCWD, "made", MAKE, 04755)) \
    X(openat_creat_0644, SYS(__NR_openat, AT_FDCWD, "made", MAKE, 0644)) \
    X(openat_read_7777, SYS(__NR_openat, AT_FDCWD, "file", O_RDONLY, 07777)) \
    X(openat_tmpfile_4700, SYS(__NR_openat, AT_FDCWD, ".", O_TMPFILE | O_RDWR, 04700)) \
    X(mkdirat_2755, SYS(__NR_mkdirat, AT_FDCWD, "made", 02755)) \
    X(mkdirat_0755, SYS(__NR_mkdirat, AT_FDCWD, "made", 0755)) \
    X(mknodat_fifo_4644, SYS(__NR_mknodat, AT_FDCWD, "made", S_IFIFO | 04644, 0)) \
    X(mknodat_fifo_0644, SYS(__NR_mknodat, AT_FDCWD, "made", S_IFIFO | 0644, 0)) \
    X(tiocsti, SYS(__NR_ioctl, -1, 0x5412UL, NULL)) \
    X(tiocsti_high, SYS(__NR_ioctl, -1, HIGH | 0x5412UL, NULL)) \
    X(tcgets, SYS(__NR_ioctl, -1, 0x5401UL, NULL)) \
    X(prlimit_parent, ask_limits(getppid())) \
    X(prlimit_self, ask_limits(0)) \
    X(prlimit_self_high, ask_limits((long)HIGH)) \
    X(personality_no_randomize, SYS(__NR_personality, 0x40000UL)) \
    X(personality_query, SYS(__NR_personality, 0xffffffffUL)) \
    X(socket_unix, SYS(__NR_socket, 1, 1, 0)) \
    X(socket_route, SYS(__NR_socket, 16, 3, 0)) \
    X(socket_uevent, SYS(__NR_socket, 16, 3, 15)) \
    X(socket_tcp, SYS(__NR_socket, 2, 1, 0)) \
    X(socket_udp, SYS(__NR_socket, 2, 2, 0)) \
    X(socket_udp_high, SYS(__NR_socket, HIGH | 2, HIGH | 2, HIGH)) \
    X(socketpair_unix, pair(1)) \
    X(fork, clone_flags(0)) \
    X(clone_user_fs, clone_flags(NEWUSER | 0x200)) \
    X(unshare_fs_files, SYS(__NR_unshare, 0x600UL)) \
    X(unshare_user_bad, SYS(__NR_unshare, NEWUSER | 1)) \
    X(setns, SYS(__NR_setns, -1, 0)) \
    X(mount, SYS(__NR_mount, NULL, NULL, NULL, 0UL, NULL)) \
    X(open_tree, SYS(__NR_open_tree, -1, "", 0x40000000U)) \
    X(mount_setattr, SYS(__NR_mount_setattr, -1, "", 0x40000000U, NULL, 0UL)) \
    X(statmount, SYS(__NR_statmount, NULL, NULL, 0UL, -1)) \
    X(ptrace, SYS(__NR_ptrace, 16, -1, NULL, NULL)) \
    X(process_vm_readv, SYS(__NR_process_vm_readv, -1, NULL, 0UL, NULL, 0UL, 1UL)) \
    X(pidfd_getfd, SYS(__NR_pidfd_getfd, -1, 0, 0)) \
    X(add_key, SYS(__NR_add_key, NULL, NULL, NULL, 0UL, 0)) \
    X(clone3, SYS(__NR_clone3, NULL, 0UL)) \
    X(openat2, SYS(__NR_openat2, AT_FDCWD, NULL, NULL, 0UL)) \
    X(number_1000, SYS(1000)) \
    AGENT_X86(X)

#define INIT(X) \
    X(read, SYS(__NR_read, -1, NULL, 0UL)) \
    X(write, SYS(__NR_write, -1, NULL, 0UL)) \
    X(close, SYS(__NR_close, -1)) \
    X(ppoll, SYS(__NR_ppoll, NULL, 0UL, &(struct timespec){0, 0}, NULL, 8UL)) \
    X(wait4, SYS(__NR_wait4, -1, NULL, WNOHANG, NULL)) \
    X(kill_nobody, SYS(__NR_kill, 0x7fffffff, 0)) \
    X(tgkill, SYS(__NR_tgkill, 1, 0x7fffffff, 0)) \
    X(openat, SYS(__NR_openat, AT_FDCWD, "file", O_RDONLY)) \
    X(execve, SYS(__NR_execve, NULL, NULL, NULL)) \
    X(clone, clone_flags(0)) \
    X(mmap, SYS(__NR_mmap, NULL, 0UL, 0, 0, -1, 0UL)) \
    X(prctl, SYS(__NR_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0))

#define DEFINE_AGENT(name, call) static int agent_##name(void) { return call; }
#define DEFINE_INIT(name, call) static int init_##name(void) { return call; }
#define AGENT_ROW(name, call) {#name, agent_##name},
#define INIT_ROW(name, call) {#name, init_##name},

AGENT(DEFINE_AGENT)
INIT(DEFINE_INIT)

struct attempt {
    const char *name;
    int (*call)(void);
};

static const struct attempt agent_attempts[] = {AGENT(AGENT_ROW){NULL, NULL}};
static const struct attempt init_attempts[] = {INIT(INIT_ROW){NULL, NULL}};

static _Noreturn void die(const char *what) {
    perror(what);
    exit(2);
}

static void read_program(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = fd < 0 ? -1 : read(fd, instructions, sizeof instructions);
    if (bytes <= 0) {
        die(path);
    }
    program.len = (unsigned short)((size_t)bytes / sizeof *instructions);
    close(fd);
}

static _Noreturn void attempt_in_child(const struct attempt *attempt) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* no core files */
    if (program.len > 0
        && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            || syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))) {
        _exit(NOT_LOADED);
    }
    _exit(attempt->call());
}

static void run(const struct attempt *attempt) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        attempt_in_child(attempt);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        die("fork");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_LOADED) {
        fprintf(stderr, "the filter could not be loaded\n");
        exit(2);
    }
    printf("%s %d\n", attempt->name, WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
    unlink("made");
    rmdir("made");
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: seccomp_probe agent|init none|FILTER\n");
        return 2;
    }
    if (strcmp(argv[2], "none") != 0) {
        read_program(argv[2]);
    }
    /* The working directory stays reachable though the way to it may not be. */
    if (geteuid() == 0 && (syscall(__NR_setgroups, 0, NULL) || setgid(NOBODY) || setuid(NOBODY))) {
        die("setuid");
    }
    umask(0);
    file = open("file", O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0) {
        die("file");
    }
    const struct attempt *attempt = strcmp(argv[1], "init") == 0 ? init_attempts : agent_attempts;
    for (; attempt->name != NULL; attempt++) {
        run(attempt);
    }
    unlink("file");
    return 0;
}
