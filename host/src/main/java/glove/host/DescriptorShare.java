package glove.host;

import glove.session.stage.RetainedStages;

/**
 * How the files this process may have open are shared: clients get a part, so that work, which
 * opens files too, never finds that clients have taken the last. Immutable.
 *
 * @param clients at once
 * @param workers how many requests are carried out at once
 * @param inspection how many take long at once, and of what depth
 */
record DescriptorShare(int clients, int workers, Inspection inspection) {
    /**
     * Of those that take long. Immutable.
     *
     * @param inspectors at least one
     * @param descriptors of each
     */
    record Inspection(int inspectors, int descriptors) {
        static Inspection of(long descriptors) {
            long each = descriptors / Crew.INSPECTORS;
            return each >= OF_AN_INSPECTOR
                    ? new Inspection(Crew.INSPECTORS, OF_AN_INSPECTOR)
                    : new Inspection(1, (int) Math.min(OF_AN_INSPECTOR, descriptors));
        }
    }

    /** Of one request, the most: a journal's directory, a root, and what lies below it. */
    static final int OF_A_WORKER = 4;

    /** Of one that takes long: one for each directory on the way. */
    static final int OF_AN_INSPECTOR = RetainedStages.DESCRIPTORS_MAX;

    /** What the server opens itself after the share was made: pipes, eventfds, epoll, a socket. */
    static final int OWN = 12;

    /** With fewer there is no point in serving. */
    static final int FREE_MIN = 36;

    /**
     * As usual, or less where there are not so many.
     *
     * @param limit RLIMIT_NOFILE; negative: none
     * @param open are open now, and stay so
     * @param clientsMax and no more clients than that
     */
    static DescriptorShare of(long limit, long open, int clientsMax) throws StartException {
        long free = limit < 0 ? Long.MAX_VALUE : limit - open;
        if (free < FREE_MIN) {
            throw StartException.failed("it may have " + limit + " files open, and " + open
                    + " are: " + FREE_MIN + " more are needed to serve; raise the limit of this "
                    + "process (ulimit -n; LimitNOFILE of its service)");
        }
        long rest = free - OWN;
        long work = Math.min(rest / 2, (long) OF_A_WORKER * (Crew.WORKERS + 1));
        int workers = (int) Math.min(Crew.WORKERS, Math.max(1, work / OF_A_WORKER - 1));
        rest -= work;
        long most = Math.max(RetainedStages.DESCRIPTORS_LEAST, rest / 2);
        Inspection inspection = Inspection.of(most);
        rest -= (long) inspection.inspectors * inspection.descriptors;
        return new DescriptorShare((int) Math.min(clientsMax, rest), workers, inspection);
    }
}
