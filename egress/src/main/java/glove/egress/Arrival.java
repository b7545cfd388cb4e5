package glove.egress;

import glove.sys.ErrnoException;

/** A client has connected: its first byte tells which protocol it speaks. */
final class Arrival extends Stage {
    /** For what a client says before it gets an answer. */
    static final long PATIENCE = 30_000_000_000L;

    private final Connection connection;
    private boolean begun;

    Arrival(Connection connection) {
        this.connection = connection;
    }

    @Override
    void advance() throws ErrnoException {
        if (!begun) {
            begun = true;
            connection.dueIn(PATIENCE);
        }
        if (!connection.client().isReadable()) {
            return;
        }
        int count = connection.client().peek(1);
        if (count == 0) {
            connection.close();
        } else if (count > 0) {
            boolean socks = connection.hub().scratch[0] == Socks5.VERSION;
            connection.enter(socks ? new SocksRequest(connection) : new HttpRequests(connection));
        }
    }

    @Override
    void overdue() {
        connection.close();
    }

    @Override
    void release(String reason) {}
}
