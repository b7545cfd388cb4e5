/*
 * Prints what Java's layouts must say, one "name value" a line, from the headers of the machine it
 * is compiled for. They are constants, so that a file including this one can also assert them
 * where the program can't run.
 */
#define _GNU_SOURCE
/* The kernel's struct stat, beside the C library's of the same name. */
#define stat kernel_stat
#include <asm/stat.h>
#undef stat
#undef st_atime
#undef st_mtime
#undef st_ctime
#include <asm/termbits.h>
#include <asm/termios.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/time_types.h>
#include <linux/utsname.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <sys/un.h>
#include <sys/vfs.h>
#undef st_ctime /* the C library's name for a member of its own struct */

/* Each: the name Java has for it without its prefix here, and its value. */
#define LAYOUTS(X) \
    X(STAT_SIZE, sizeof(struct kernel_stat)) \
    X(STAT_DEV, offsetof(struct kernel_stat, st_dev)) \
    X(STAT_INO, offsetof(struct kernel_stat, st_ino)) \
    X(STAT_MODE, offsetof(struct kernel_stat, st_mode)) \
    X(STAT_NLINK, offsetof(struct kernel_stat, st_nlink)) \
    X(STAT_NLINK_BYTES, sizeof(((struct kernel_stat *)0)->st_nlink)) \
    X(STAT_UID, offsetof(struct kernel_stat, st_uid)) \
    X(STAT_GID, offsetof(struct kernel_stat, st_gid)) \
    X(STAT_RDEV, offsetof(struct kernel_stat, st_rdev)) \
    X(STAT_BYTES, offsetof(struct kernel_stat, st_size)) \
    X(STAT_CTIME, offsetof(struct kernel_stat, st_ctime)) \
    X(STAT_CTIME_NSEC, offsetof(struct kernel_stat, st_ctime_nsec)) \
    X(OPEN_HOW_SIZE, sizeof(struct open_how)) \
    X(OPEN_HOW_MODE, offsetof(struct open_how, mode)) \
    X(OPEN_HOW_RESOLVE, offsetof(struct open_how, resolve)) \
    X(DIRENT64_RECLEN, offsetof(struct dirent64, d_reclen)) \
    X(DIRENT64_TYPE, offsetof(struct dirent64, d_type)) \
    X(DIRENT64_NAME, offsetof(struct dirent64, d_name)) \
    X(SIGINFO_SIZE, sizeof(siginfo_t)) \
    X(SIGINFO_CODE, offsetof(siginfo_t, si_code)) \
    X(SIGINFO_PID, offsetof(siginfo_t, si_pid)) \
    X(SIGINFO_STATUS, offsetof(siginfo_t, si_status)) \
    X(RLIMIT64_SIZE, sizeof(struct rlimit64)) \
    X(RLIMIT64_MAX, offsetof(struct rlimit64, rlim_max)) \
    X(STATFS_SIZE, sizeof(struct statfs)) \
    X(STATFS_TYPE, offsetof(struct statfs, f_type)) \
    X(STATFS_FLAGS, offsetof(struct statfs, f_flags)) \
    X(SYSINFO_SIZE, sizeof(struct sysinfo)) \
    X(SYSINFO_TOTALRAM, offsetof(struct sysinfo, totalram)) \
    X(SYSINFO_MEM_UNIT, offsetof(struct sysinfo, mem_unit)) \
    X(POLLFD_SIZE, sizeof(struct pollfd)) \
    X(POLLFD_EVENTS, offsetof(struct pollfd, events)) \
    X(POLLFD_REVENTS, offsetof(struct pollfd, revents)) \
    X(TIMESPEC_SIZE, sizeof(struct __kernel_timespec)) \
    X(TIMESPEC_NSEC, offsetof(struct __kernel_timespec, tv_nsec)) \
    X(UTSNAME_SIZE, sizeof(struct new_utsname)) \
    X(UTSNAME_RELEASE, offsetof(struct new_utsname, release)) \
    X(RUSAGE_SIZE, sizeof(struct rusage)) \
    X(RUSAGE_STIME, offsetof(struct rusage, ru_stime)) \
    X(TIMEVAL_USEC, offsetof(struct timeval, tv_usec)) \
    X(SOCKADDR_UN_SIZE, sizeof(struct sockaddr_un)) \
    X(SOCKADDR_UN_PATH, offsetof(struct sockaddr_un, sun_path)) \
    X(UCRED_SIZE, sizeof(struct ucred)) \
    X(UCRED_UID, offsetof(struct ucred, uid)) \
    X(SOCKADDR_IN_SIZE, sizeof(struct sockaddr_in)) \
    X(SOCKADDR_IN_PORT, offsetof(struct sockaddr_in, sin_port)) \
    X(SOCKADDR_IN_ADDR, offsetof(struct sockaddr_in, sin_addr)) \
    X(SOCKADDR_IN6_SIZE, sizeof(struct sockaddr_in6)) \
    X(SOCKADDR_IN6_PORT, offsetof(struct sockaddr_in6, sin6_port)) \
    X(SOCKADDR_IN6_ADDR, offsetof(struct sockaddr_in6, sin6_addr)) \
    X(EPOLL_EVENT_SIZE, sizeof(struct epoll_event)) \
    X(EPOLL_EVENT_DATA, offsetof(struct epoll_event, data)) \
    X(MSGHDR_SIZE, sizeof(struct msghdr)) \
    X(MSGHDR_IOV, offsetof(struct msghdr, msg_iov)) \
    X(MSGHDR_IOVLEN, offsetof(struct msghdr, msg_iovlen)) \
    X(MSGHDR_CONTROL, offsetof(struct msghdr, msg_control)) \
    X(MSGHDR_CONTROLLEN, offsetof(struct msghdr, msg_controllen)) \
    X(IOVEC_SIZE, sizeof(struct iovec)) \
    X(IOVEC_LENGTH, offsetof(struct iovec, iov_len)) \
    X(CMSG_LEVEL, offsetof(struct cmsghdr, cmsg_level)) \
    X(CMSG_TYPE, offsetof(struct cmsghdr, cmsg_type)) \
    X(CMSG_DATA, CMSG_LEN(0)) \
    X(CMSG_SPACE_OF_FD, CMSG_SPACE(sizeof(int))) \
    X(SECCOMP_NOTIF_SIZE, sizeof(struct seccomp_notif)) \
    X(SECCOMP_NOTIF_PID, offsetof(struct seccomp_notif, pid)) \
    X(SECCOMP_NOTIF_NR, offsetof(struct seccomp_notif, data.nr)) \
    X(SECCOMP_NOTIF_ARGS, offsetof(struct seccomp_notif, data.args)) \
    X(SECCOMP_NOTIF_RESP_SIZE, sizeof(struct seccomp_notif_resp)) \
    X(SECCOMP_NOTIF_RESP_ERROR, offsetof(struct seccomp_notif_resp, error)) \
    X(SECCOMP_NOTIF_RESP_FLAGS, offsetof(struct seccomp_notif_resp, flags)) \
    X(WINSIZE_SIZE, sizeof(struct winsize)) \
    X(TERMIOS_SIZE, sizeof(struct termios))

/* Flags apart: a macro's argument would be replaced by its number before it became a name. */
enum {
#define CONSTANT(name, value) LAYOUT_##name = (int)(value),
    LAYOUTS(CONSTANT)
    LAYOUT_O_CREAT = O_CREAT,
    LAYOUT_O_EXCL = O_EXCL,
    LAYOUT_O_NOCTTY = O_NOCTTY,
    LAYOUT_O_TRUNC = O_TRUNC,
    LAYOUT_O_APPEND = O_APPEND,
    LAYOUT_O_NONBLOCK = O_NONBLOCK,
    LAYOUT_O_PATH = O_PATH,
    LAYOUT_O_CLOEXEC = O_CLOEXEC,
    LAYOUT_O_DIRECTORY = O_DIRECTORY,
    LAYOUT_O_NOFOLLOW = O_NOFOLLOW,
};

int main(void) {
#define PRINT(name, value) printf("%s %d\n", #name, LAYOUT_##name);
    LAYOUTS(PRINT)
    printf("O_CREAT %d\n", LAYOUT_O_CREAT);
    printf("O_EXCL %d\n", LAYOUT_O_EXCL);
    printf("O_NOCTTY %d\n", LAYOUT_O_NOCTTY);
    printf("O_TRUNC %d\n", LAYOUT_O_TRUNC);
    printf("O_APPEND %d\n", LAYOUT_O_APPEND);
    printf("O_NONBLOCK %d\n", LAYOUT_O_NONBLOCK);
    printf("O_PATH %d\n", LAYOUT_O_PATH);
    printf("O_CLOEXEC %d\n", LAYOUT_O_CLOEXEC);
    printf("O_DIRECTORY %d\n", LAYOUT_O_DIRECTORY);
    printf("O_NOFOLLOW %d\n", LAYOUT_O_NOFOLLOW);
    return 0;
}
