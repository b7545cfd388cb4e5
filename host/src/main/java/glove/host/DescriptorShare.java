package glove.host;

/**
 * How the files this process may have open are shared: clients get a part, so that work, which
 * opens files too, never finds that clients have taken the last. Immutable.
 *
 * @param clients at once
 * @param workers how many requests are carried out at once
 */
record DescriptorShare(int clients, int workers) {
    /** Of one request, the most: a journal's directory, a root, and what lies below it. */
    static final int OF_A_WORKER = 4;

    /** Of one that takes long: one for each directory on the way. */
    static final int OF_AN_INSPECTOR = 72;

    /** With fewer there is no point in serving. */
    static final int FREE_MIN = 24;

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
        long quick = Math.min(free / 2, (long) OF_A_WORKER * (Crew.WORKERS + 1));
        long work = Math.min(free / 2, quick + (long) OF_AN_INSPECTOR * Crew.INSPECTORS);
        int workers = (int) Math.min(Crew.WORKERS, Math.max(1, quick / OF_A_WORKER - 1));
        return new DescriptorShare((int) Math.min(clientsMax, free - work), workers);
    }
}
