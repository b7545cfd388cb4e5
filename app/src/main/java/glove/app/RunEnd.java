package glove.app;

/** Who ends a run. Used by the run's thread. */
@FunctionalInterface
interface RunEnd {
    /** Everything inside is to be killed; the first verdict stands. */
    void end(Verdict reason);
}
