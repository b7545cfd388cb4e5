package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.ErrnoException;

/**
 * A connection to the listener of one local service: asks for it at once. Which server a TLS
 * handshake names is not looked at: the service is the very one that was granted.
 */
final class DirectRequest implements Opener {
    private final Connection connection;
    private final Destination destination;

    DirectRequest(Connection connection, Destination destination) {
        this.connection = connection;
        this.destination = destination;
    }

    Opening opening() {
        return new Opening(connection, Protocol.DIRECT, destination, this);
    }

    @Override
    public void opened(Stream upstream, Passage passage) {
        connection.enter(new Tunnel(connection, upstream, passage, new byte[0]));
    }

    @Override
    public void denied(Outcome outcome, String sentence) throws ErrnoException {
        connection.cut("");
    }
}
