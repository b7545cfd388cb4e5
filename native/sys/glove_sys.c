/*
 * The only native code inside the JVM: five functions, no policy. Java decides what to call and
 * reads the results; layouts and numbers live there, checked against the C headers by a test.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

JNIEXPORT jlong JNICALL Java_glove_sys_NativeSyscalls_syscall(
    JNIEnv *env, jclass class, jlong number, jlong a, jlong b, jlong c, jlong d, jlong e, jlong f) {
    (void)env;
    (void)class;
    long result = syscall((long)number, (long)a, (long)b, (long)c, (long)d, (long)e, (long)f);
    return result == -1 ? -(jlong)errno : (jlong)result;
}

JNIEXPORT jlong JNICALL Java_glove_sys_NativeSyscalls_address(
    JNIEnv *env, jclass class, jobject buffer) {
    (void)class;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

/* What the kernel's rt_sigaction takes: libc's hides 32 and 33, which the JVM leaves ignored. */
struct kernel_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static void reset_signals(void) {
    struct kernel_sigaction default_action;
    uint64_t none = 0;
    memset(&default_action, 0, sizeof default_action);
    for (int number = 1; number <= 64; number++) {
        syscall(SYS_rt_sigaction, number, &default_action, NULL, sizeof none);
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

/* Descriptor `from[i]` becomes number `to[i]` in the child. */
struct placement {
    int *from;
    const int *to;
    int count;
};

static int highest(struct placement fds) {
    int highest = -1;
    for (int i = 0; i < fds.count; i++) {
        highest = fds.to[i] > highest ? fds.to[i] : highest;
    }
    return highest;
}

/*
 * Leaves the given descriptors at their numbers and marks all others to close at exec. First they
 * move above every number to fill, so that none is overwritten before it was copied; dup2 clears
 * the mark on its copy, so marking everything comes between.
 */
static int place_descriptors(struct placement fds, int above) {
    for (int i = 0; i < fds.count; i++) {
        fds.from[i] = fcntl(fds.from[i], F_DUPFD_CLOEXEC, above);
        if (fds.from[i] < 0) {
            return -1;
        }
    }
    if (syscall(SYS_close_range, 0u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC, since 5.11 */) != 0) {
        return -1;
    }
    for (int i = 0; i < fds.count; i++) {
        if (dup2(fds.from[i], fds.to[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

/*
 * Runs `program` (a descriptor) with the descriptors of `fds` and nothing else. The child shares
 * our memory until it has executed (vfork), so it only writes to its own variables and `fds.from`.
 * Returns its process id, or -errno; a child that could not execute is reaped here.
 */
static pid_t spawn(int program, struct placement fds, char **argv, char **envp) {
    volatile int child_errno = 0;
    uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    /* No handler of the JVM may run in the child; libc's call would leave out 32 and 33. */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    pid_t pid = vfork();
    if (pid == 0) {
        int above = highest(fds) + 1;
        int moved = fcntl(program, F_DUPFD_CLOEXEC, above);
        if (moved >= 0 && place_descriptors(fds, above) == 0) {
            reset_signals();
            syscall(SYS_execveat, moved, "", argv, envp, 0x1000 /* AT_EMPTY_PATH */);
        }
        child_errno = errno;
        _exit(127);
    }
    int error = pid < 0 ? errno : child_errno;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    if (error != 0) {
        if (pid > 0) {
            while (syscall(SYS_wait4, pid, NULL, 0, NULL) < 0 && errno == EINTR) {
            }
        }
        return -error;
    }
    return pid;
}

/* Pointers to `count` NUL-ended strings that stand one after the other. */
static char **pointers(char *strings, int count) {
    char **array = calloc((size_t)count + 1, sizeof(char *));
    for (int i = 0; array != NULL && i < count; i++) {
        array[i] = strings;
        strings += strlen(strings) + 1;
    }
    return array;
}

/*
 * `strings`: direct buffer with argc and then envc NUL-ended strings. `fds`: int array of pairs, a
 * descriptor and its number in the child.
 */
JNIEXPORT jint JNICALL Java_glove_sys_NativeSyscalls_spawn(
    JNIEnv *env, jclass class, jint program, jintArray fds, jobject strings, jint argc, jint envc) {
    (void)class;
    jsize count = (*env)->GetArrayLength(env, fds) / 2;
    jint *pairs = calloc(2 * (size_t)count + 1, sizeof(jint));
    int *numbers = calloc(2 * (size_t)count + 1, sizeof(int));
    char **vector = pointers((*env)->GetDirectBufferAddress(env, strings), argc + envc);
    char **argv = calloc((size_t)argc + 1, sizeof(char *));
    pid_t pid = -ENOMEM;
    if (pairs != NULL && numbers != NULL && vector != NULL && argv != NULL) {
        (*env)->GetIntArrayRegion(env, fds, 0, 2 * count, pairs);
        for (jsize i = 0; i < count; i++) {
            numbers[i] = pairs[2 * i];
            numbers[count + i] = pairs[2 * i + 1];
        }
        memcpy(argv, vector, (size_t)argc * sizeof(char *));
        struct placement placement = {numbers, numbers + count, count};
        pid = spawn(program, placement, argv, vector + argc);
    }
    free(pairs);
    free(numbers);
    free(vector);
    free(argv);
    return pid;
}

static volatile sig_atomic_t signal_fd = -1;

static void on_signal(int number) {
    int error = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write(signal_fd, &byte, 1);
    (void)ignored;
    errno = error;
}

/* An ignored signal stays ignored: that is how nohup works. */
JNIEXPORT void JNICALL Java_glove_sys_NativeSyscalls_catchSignals(
    JNIEnv *env, jclass class, jint fd, jintArray signals) {
    (void)class;
    signal_fd = fd;
    jsize count = (*env)->GetArrayLength(env, signals);
    for (jsize i = 0; i < count; i++) {
        jint number;
        struct sigaction action;
        (*env)->GetIntArrayRegion(env, signals, i, 1, &number);
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            memset(&action, 0, sizeof action);
            action.sa_handler = on_signal;
            action.sa_flags = SA_RESTART;
            sigaction(number, &action, NULL);
        }
    }
}

#define LISTED_AT_ONCE (32 << 10)

/* Moves the entries that matter to the front: directories, links, sockets, what has no type, and
 * names whose first or last byte is wanted. `from` holds records of getdents64; returns how many bytes are left. */
static long keep_wanted(char *from, long bytes, const jbyte wanted[512]) {
    long kept = 0;
    for (long at = 0; at < bytes;) {
        struct dirent64 *entry = (void *)(from + at);
        long length = entry->d_reclen;
        at += length;
        if (entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_SOCK ||
            entry->d_type == DT_UNKNOWN || wanted[(unsigned char)entry->d_name[0]] ||
            wanted[256 + (unsigned char)entry->d_name[strlen(entry->d_name) - 1]]) {
            memmove(from + kept, entry, (size_t)length);
            kept += length;
        }
    }
    return kept;
}

/* Watches the directory before it is listed, so that no name is missed between the two. */
static jint watch_directory(int inotify, int fd, jint events) {
    char name[32] = "/proc/self/fd/";
    char digits[12];
    size_t length = strlen(name);
    size_t count = 0;
    for (unsigned value = (unsigned)fd; value > 0 || count == 0; value /= 10) {
        digits[count++] = (char)('0' + value % 10);
    }
    while (count > 0) {
        name[length++] = digits[--count];
    }
    int watch = inotify_add_watch(inotify, name, (uint32_t)events);
    return watch < 0 ? -errno : watch;
}

/*
 * `places`: a root, an inotify descriptor or -1, and what to watch for. The entries of the directory
 * at `path`, NUL-ended and relative to the root, reached without a link,
 * as getdents64 gives them, from byte 8 of `into` on; before them the watch or -errno. `wanted` has
 * a byte for each first and then for each last byte of a name, not 0 for those to be told anyway. Thousands of
 * directories are listed before a launch: one call each, where five from interpreted code would
 * take as long as the kernel's part. Returns how many bytes, or -errno; -EOVERFLOW asks for room.
 */
JNIEXPORT jint JNICALL Java_glove_sys_NativeSyscalls_list(
    JNIEnv *env, jclass class, jintArray places, jbyteArray path, jbyteArray wanted,
    jbyteArray into) {
    (void)class;
    jint place[3];
    (*env)->GetIntArrayRegion(env, places, 0, 3, place);
    jint root = place[0];
    jint inotify = place[1];
    jint events = place[2];
    jbyte wanted_bytes[512];
    (*env)->GetByteArrayRegion(env, wanted, 0, sizeof wanted_bytes, wanted_bytes);
    char name[4096];
    jsize length = (*env)->GetArrayLength(env, path);
    if (length > (jsize)sizeof name) {
        return -ENAMETOOLONG;
    }
    (*env)->GetByteArrayRegion(env, path, 0, length, (jbyte *)name);
    struct open_how how = {
        .flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    int fd = (int)syscall(SYS_openat2, root, name, &how, sizeof how);
    if (fd < 0) {
        return -errno;
    }
    jint watch = inotify < 0 ? 0 : watch_directory(inotify, fd, events);
    jsize room = (*env)->GetArrayLength(env, into);
    jint used = 8;
    _Alignas(8) char entries[LISTED_AT_ONCE];
    (*env)->SetByteArrayRegion(env, into, 0, 4, (const jbyte *)&watch);
    for (;;) {
        long n = syscall(SYS_getdents64, fd, entries, sizeof entries);
        int error = n < 0 ? errno : 0;
        long kept = n > 0 ? keep_wanted(entries, n, wanted_bytes) : 0;
        error = kept > room - used ? EOVERFLOW : error;
        if (error != 0 || n == 0) {
            close(fd);
            return error != 0 ? -error : used;
        }
        (*env)->SetByteArrayRegion(env, into, used, (jsize)kept, (const jbyte *)entries);
        used += (jint)kept;
    }
}
