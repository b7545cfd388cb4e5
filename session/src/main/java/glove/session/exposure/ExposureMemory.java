package glove.session.exposure;

/**
 * The journal in memory: as the committer has made it, and as everybody may see it because it is
 * on disk. Until the log is opened, the opener's.
 */
final class ExposureMemory {
    private ExposureBook made; // the committer's
    private volatile ExposureBook onDisk;

    ExposureMemory(ExposureBook empty) {
        this.made = empty;
        this.onDisk = empty;
    }

    ExposureBook made() {
        return made;
    }

    void make(ExposureBook next) {
        made = next;
    }

    ExposureBook onDisk() {
        return onDisk;
    }

    void publish(ExposureBook book) {
        onDisk = book;
    }
}
