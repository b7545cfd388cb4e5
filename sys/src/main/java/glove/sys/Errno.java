package glove.sys;

/** Error numbers (asm-generic/errno.h, the same on both machines) and their words. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENOEXEC = 8;
    public static final int EBADF = 9;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int ETXTBSY = 26;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EPIPE = 32;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int ENFILE = 23;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EINPROGRESS = 115;
    public static final int ENODEV = 19;
    public static final int ENODATA = 61;
    public static final int EOPNOTSUPP = 95;
    public static final int EOVERFLOW = 75;
    public static final int ESTALE = 116;
    public static final int EDQUOT = 122;

    private static final String[] WORDS = {
        "1 EPERM (operation not permitted)",
        "2 ENOENT (no such file or directory)",
        "3 ESRCH (no such process)",
        "4 EINTR (interrupted)",
        "5 EIO (input/output error)",
        "7 E2BIG (argument list too long)",
        "8 ENOEXEC (not an executable of this machine)",
        "9 EBADF (bad file descriptor)",
        "10 ECHILD (no child process)",
        "11 EAGAIN (resource temporarily unavailable)",
        "12 ENOMEM (out of memory)",
        "13 EACCES (permission denied)",
        "16 EBUSY (busy)",
        "17 EEXIST (exists already)",
        "18 EXDEV (on another filesystem)",
        "19 ENODEV (no such device, or it is gone)",
        "20 ENOTDIR (not a directory)",
        "21 EISDIR (is a directory)",
        "22 EINVAL (invalid argument)",
        "23 ENFILE (too many open files on this machine)",
        "24 EMFILE (too many open files)",
        "26 ETXTBSY (the file is being written)",
        "27 EFBIG (too large)",
        "28 ENOSPC (no space left, or a limit reached)",
        "30 EROFS (read-only filesystem)",
        "32 EPIPE (the other end is closed)",
        "36 ENAMETOOLONG (name too long)",
        "38 ENOSYS (not known to this kernel)",
        "39 ENOTEMPTY (directory not empty)",
        "40 ELOOP (too many symbolic links)",
        "61 ENODATA (no such attribute)",
        "75 EOVERFLOW (more than there is room for)",
        "95 EOPNOTSUPP (not supported)",
        "97 EAFNOSUPPORT (no such address family here)",
        "98 EADDRINUSE (somebody has it already)",
        "99 EADDRNOTAVAIL (no such address here)",
        "101 ENETUNREACH (no way to that network)",
        "104 ECONNRESET (the other side reset the connection)",
        "105 ENOBUFS (no buffer space left)",
        "109 ETOOMANYREFS (too many of this user's descriptors are on their way in sockets)",
        "110 ETIMEDOUT (no answer in time)",
        "111 ECONNREFUSED (nobody listens)",
        "113 EHOSTUNREACH (no way to that host)",
        "116 ESTALE (it is not the same file any more)",
        "122 EDQUOT (quota exceeded)",
    };

    private Errno() {}

    /** Whether this process or machine has too little of something now: it may pass. */
    public static boolean isShortage(int errno) {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
    }

    /** Symbol and words: {@code EACCES (permission denied)}. */
    public static String words(int errno) {
        String prefix = errno + " ";
        for (String words : WORDS) {
            if (words.startsWith(prefix)) {
                return words.substring(prefix.length());
            }
        }
        return "errno " + errno;
    }
}
