package glove.session.exposure;

/** What becomes of a request to expose something or to take it back. Immutable. */
public sealed interface ExposureReply {
    /**
     * It is done, and on disk.
     *
     * @param exposure as it is stored after it
     * @param repeated whether it had been done before, under the same key
     */
    record Done(ExposureView exposure, boolean repeated) implements ExposureReply {}

    /**
     * It is not done, and nothing was written.
     *
     * @param reason what kind of no
     * @param why for the owner: may name paths
     */
    record Refused(ExposureRefusedException.Reason reason, String why) implements ExposureReply {
        /** What peers are told for every reason. */
        public static final String CODE = "path_exposure_rejected";
    }
}
