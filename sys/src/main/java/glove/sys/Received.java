package glove.sys;

import java.util.Optional;

/**
 * One message of a Unix socket.
 *
 * @param bytes empty at the end
 * @param fd the descriptor that came with it; the receiver owns it
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record Received(byte[] bytes, Optional<OwnedFd> fd) {}
