package glove.sys;

/**
 * A system call that waits for an answer (seccomp_unotify(2)). Its arguments may change while it
 * waits, so they tell what was tried, and must not decide what is let through.
 *
 * @param id for the answer
 * @param pid thread that made it, as this process counts
 * @param number of the call on this machine
 */
@SuppressWarnings("ArrayRecordComponent") // as the kernel gave them, never compared
public record Notification(long id, int pid, int number, long[] arguments) {}
