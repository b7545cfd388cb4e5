package glove.host;

/** Threads of the daemon: all are made while it starts, so that none is missing later. */
final class DaemonThread {
    private DaemonThread() {}

    /**
     * Makes one that does not keep the process.
     *
     * @throws StartException when this user or machine may not have more
     */
    static Thread start(String name, Runnable task) throws StartException {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // how a JVM tells of EAGAIN of clone(2)
            throw StartException.failed("the thread '" + name + "' cannot be started: this user "
                    + "has as many processes and threads as allowed (ulimit -u; pids.max of its "
                    + "cgroup), or there is no memory: allow more, or end some");
        }
        return thread;
    }
}
