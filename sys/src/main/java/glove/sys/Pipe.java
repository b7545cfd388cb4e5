package glove.sys;

/** Both ends of a pipe; closing it closes the ends that were not released. */
public record Pipe(OwnedFd read, OwnedFd write) implements AutoCloseable {
    @Override
    public void close() {
        read.close();
        write.close();
    }
}
