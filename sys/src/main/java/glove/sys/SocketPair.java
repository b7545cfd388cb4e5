package glove.sys;

/** Two connected sockets; closing it closes those that were not released. Both are owned. */
public record SocketPair(OwnedFd first, OwnedFd second) implements AutoCloseable {
    @Override
    public void close() {
        first.close();
        second.close();
    }
}
