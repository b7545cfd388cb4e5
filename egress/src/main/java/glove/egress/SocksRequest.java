package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.ErrnoException;

import java.util.Optional;

/** A client that speaks SOCKS5 (RFC 1928), until it has its answer. */
final class SocksRequest extends Stage implements Opener {
    /** The longest message: two texts of 255 bytes and their lengths. */
    private static final int BYTES_MAX = 600;

    /** What is read next. */
    private enum Step {
        GREETING,
        LOGIN,
        REQUEST
    }

    private final Connection connection;
    private final Hub hub;
    private Step step = Step.GREETING;

    SocksRequest(Connection connection) {
        this.connection = connection;
        this.hub = connection.hub();
    }

    @Override
    void advance() throws ErrnoException {
        Stream client = connection.client();
        while (client.isReadable()) {
            int count = client.peek(BYTES_MAX);
            if (count < 0) {
                return;
            }
            if (count == 0) {
                connection.close();
                return;
            }
            try {
                int length = read(count);
                if (length == 0 && client.isEnded()) {
                    connection.close(); // all it will ever send was there to see
                }
                if (length == 0) {
                    client.awaitBytes();
                }
                if (length <= 0) {
                    return;
                }
            } catch (MalformedException e) {
                malformed(e);
                return;
            }
        }
    }

    /** Reads one message; 0 when it is not whole, negative when nothing is to be read any more. */
    private int read(int count) throws ErrnoException, MalformedException {
        if (step == Step.GREETING) {
            return greeting(count);
        }
        return step == Step.LOGIN ? login(count) : request(count);
    }

    private int greeting(int count) throws ErrnoException, MalformedException {
        Optional<Socks5.Greeting> found = Socks5.greeting(hub.scratch, 0, count);
        if (found.isEmpty()) {
            return 0;
        }
        Socks5.Greeting greeting = found.get();
        connection.client().skip(greeting.length());
        boolean free = connection.entry() == Entry.VOUCHED;
        if (free && greeting.offersNone()) {
            step = Step.REQUEST;
            return answer(Socks5.chosen(Socks5.NO_AUTHENTICATION), greeting.length());
        }
        if (greeting.offersPassword()) {
            step = Step.LOGIN;
            return answer(Socks5.chosen(Socks5.USER_PASSWORD), greeting.length());
        }
        hub.decisions.refuseStranger(Protocol.SOCKS5, Reasons.noCredential());
        return farewell(Socks5.chosen(Socks5.NO_ACCEPTABLE_METHOD));
    }

    private int login(int count) throws ErrnoException, MalformedException {
        Optional<Socks5.Login> found = Socks5.login(hub.scratch, 0, count);
        if (found.isEmpty()) {
            return 0;
        }
        Socks5.Login login = found.get();
        connection.client().skip(login.length());
        if (connection.entry() != Entry.VOUCHED && !hub.credential.matches(login)) {
            hub.decisions.refuseStranger(Protocol.SOCKS5, Reasons.noCredential());
            if (hub.isTiredOfStrangers()) {
                connection.cut("");
                return -1;
            }
            return farewell(Socks5.loggedIn(false));
        }
        step = Step.REQUEST;
        return answer(Socks5.loggedIn(true), login.length());
    }

    private int request(int count) throws ErrnoException, MalformedException {
        Optional<Socks5.Request> found = Socks5.request(hub.scratch, 0, count);
        if (found.isEmpty()) {
            return 0;
        }
        Socks5.Request request = found.get();
        connection.client().skip(request.length());
        connection.enter(new Opening(connection, Protocol.SOCKS5, request.destination(), this));
        return -1;
    }

    /** Answers; the length of the message read, or negative when the client does not read. */
    private int answer(byte[] bytes, int length) throws ErrnoException {
        if (!connection.client().sendWhole(bytes)) {
            connection.cut("");
            return -1;
        }
        return length;
    }

    private int farewell(byte[] bytes) throws ErrnoException {
        if (answer(bytes, 1) > 0) {
            connection.linger();
        }
        return -1;
    }

    private void malformed(MalformedException e) throws ErrnoException {
        byte[] answer = step == Step.REQUEST ? Socks5.reply(e.code()) : new byte[0];
        String why = e.getMessage();
        hub.decisions.refuse(
                EgressEvent.refused(Protocol.SOCKS5, "", why), new Farewell(connection, answer));
        connection.enter(new Pending());
    }

    @Override
    public void opened(Stream upstream, Passage passage) {
        connection.enter(new Tunnel(connection, upstream, passage, Socks5.reply(Socks5.SUCCEEDED)));
    }

    @Override
    public void denied(Outcome outcome, String sentence) throws ErrnoException {
        farewell(Socks5.reply(outcome.reply()));
    }

    @Override
    void overdue() {
        connection.close();
    }

    @Override
    void release(String reason) {}
}
