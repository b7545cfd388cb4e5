package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * After a last answer: what the client still sends is taken and forgotten until it ends. Closing
 * at once would reset the connection, and the client might never see the answer.
 */
final class Lingering extends Stage {
    private static final long PATIENCE = 2_000_000_000L;
    private static final int BYTES_MAX = 4 << 20;
    private static final int AT_ONCE = 1 << 20;

    /** Reads in a row before others have their turn. */
    private static final int ROUNDS = 8;

    private final Connection connection;
    private int taken;

    Lingering(Connection connection) throws ErrnoException {
        this.connection = connection;
        connection.client().endWriting();
        connection.dueIn(PATIENCE);
    }

    @Override
    void advance() throws ErrnoException {
        Stream client = connection.client();
        for (int i = 0; client.isReadable(); i++) {
            if (i == ROUNDS) {
                connection.hub().wake(connection);
                return;
            }
            int count = connection.hub().linux.discard(client.fd(), AT_ONCE);
            if (count == Linux.WOULD_BLOCK) {
                client.awaitBytes();
                return;
            }
            taken += count;
            if (count == 0 || taken > BYTES_MAX) {
                connection.close();
                return;
            }
        }
    }

    @Override
    void overdue() {
        connection.close();
    }

    @Override
    void release(String reason) {}
}
