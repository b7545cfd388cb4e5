package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * A client that speaks HTTP: reads one head after the other and decides each. The head stays in the
 * socket until it is whole, and what follows it until its turn. A connection to a server is kept
 * for the next request when that is for the same destination. Owns that.
 */
final class HttpRequests extends Stage implements Opener, Effect {
    /** How long a client may keep its connection between two requests. */
    private static final long PAUSE = 60_000_000_000L;

    private static final byte[] NOTHING = {};

    /** A server that answered before, and where it is. */
    record Kept(Stream upstream, Passage passage) {}

    private final Connection connection;
    private final Hub hub;
    private @Nullable Kept kept; // null when there is none to be used again
    private @Nullable Asked asked; // null until the first is whole
    private byte[] head = NOTHING; // what to send of it, until an exchange has it
    private @Nullable Passage following; // null unless a kept connection waits for its decision
    private boolean deciding;
    private boolean answered;
    private boolean waiting;
    private int seen;

    HttpRequests(Connection connection) {
        this.connection = connection;
        this.hub = connection.hub();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    void advance() throws ErrnoException {
        if (deciding) {
            return;
        }
        checkKept();
        Stream client = connection.client();
        if (!client.isReadable()) {
            return;
        }
        int count = client.peek(RequestHead.BYTES_MAX);
        if (count < 0) {
            return;
        }
        if (answered && count >= 2 && hub.scratch[0] == '\r' && hub.scratch[1] == '\n') {
            client.skip(2); // some clients end a body with an empty line (RFC 9112 §2.2)
            hub.wake(connection);
            return;
        }
        if (count == 0) {
            connection.close();
            return;
        }
        try {
            read(count);
        } catch (MalformedException e) {
            deciding = true;
            EgressEvent event = EgressEvent.refused(Protocol.HTTP, "", e.getMessage());
            byte[] answer = HttpAnswer.refusal(e.code(), e.getMessage(), false);
            hub.decisions.refuse(event, new Farewell(connection, answer));
        }
    }

    /** What a server sends between two answers, be it the end, makes its connection useless. */
    private void checkKept() {
        if (kept != null && (kept.upstream().isReadable() || kept.upstream().isGone())) {
            try {
                if (kept.upstream().peek(1) != Linux.WOULD_BLOCK) {
                    dropKept();
                }
            } catch (ErrnoException e) {
                dropKept(); // it was reset
            }
        }
    }

    private void dropKept() {
        if (kept != null) {
            kept.upstream().close();
            kept = null;
        }
    }

    private void read(int count) throws ErrnoException, MalformedException {
        int end = RequestHead.end(hub.scratch, 0, seen, count);
        if (end < 0 && connection.client().isEnded()) {
            connection.close(); // all it will ever send was there to see
            return;
        }
        if (end < 0 && connection.client().isUrgent()) {
            throw new MalformedException(
                    HttpCode.BAD_REQUEST, "there is urgent data within the head");
        }
        if (end < 0) {
            if (seen == 0 && answered) {
                connection.dueIn(Arrival.PATIENCE);
            }
            seen = count;
            connection.client().awaitBytes();
            return;
        }
        if (connection.client().isGone()) {
            connection.close(); // reset, with what it had sent still there to see
            return;
        }
        if (connection.requestHeads().mustWait()) {
            waiting = true;
            connection.dueIn(PAUSE);
            return;
        }
        RequestHead found = RequestHead.parse(hub.scratch, 0, end);
        connection.client().skip(end);
        seen = 0;
        waiting = false;
        deciding = true;
        asked = found.asked();
        if (connection.entry() != Entry.VOUCHED && !isAuthenticated(found)) {
            return;
        }
        decide(found);
    }

    private boolean isAuthenticated(RequestHead found) throws ErrnoException {
        Optional<byte[]> shown = found.proxyAuthorization();
        if (shown.isPresent() && hub.credential.matchesBasic(shown.get())) {
            return true;
        }
        Protocol protocol = found.isConnect() ? Protocol.CONNECT : Protocol.HTTP;
        hub.decisions.refuseStranger(protocol, Reasons.noCredential());
        // Some programs show it only when they are asked to: that alone is no attempt.
        if (shown.isPresent() && hub.isTiredOfStrangers()) {
            connection.cut("");
        } else {
            answer(HttpAnswer.PROXY_AUTHENTICATION, Reasons.noCredential());
        }
        return false;
    }

    private void decide(RequestHead found) {
        Destination destination = found.destination();
        head = found.isConnect() ? NOTHING : found.upstream();
        connection.requestHeads().hold(head.length);
        if (isBeyondLimit(destination)) {
            String why = hub.spending.exceeded(destination);
            EgressEvent event = EgressEvent.refused(Protocol.HTTP, destination.toString(), why);
            hub.decisions.refuse(event, forbidden(why));
            return;
        }
        Kept server = kept;
        if (server != null && isReusable(server, found)) {
            following = new Passage(
                    connection,
                    Protocol.HTTP,
                    destination,
                    server.passage().rule(),
                    server.passage().address());
            hub.decisions.add(following.allowed(), this);
            return;
        }
        dropKept();
        Protocol protocol = found.isConnect() ? Protocol.CONNECT : Protocol.HTTP;
        connection.enter(new Opening(connection, protocol, destination, this));
    }

    /** A head goes out whole, so it has to fit into what is left. */
    private boolean isBeyondLimit(Destination destination) {
        return head.length > hub.spending.remaining(destination.host())
                && hub.policy.rules().decide(destination).isAllowed();
    }

    private Farewell forbidden(String why) {
        boolean bodiless = asked != null && asked.isForHead();
        return new Farewell(connection, HttpAnswer.refusal(HttpAnswer.FORBIDDEN, why, bodiless));
    }

    /** Decided anew, so that limits count; what has changed is left to an {@link Opening}. */
    private boolean isReusable(Kept server, RequestHead found) {
        Destination destination = found.destination();
        if (found.isConnect() || !destination.equals(server.passage().destination())) {
            return false;
        }
        Decision decision = hub.policy.rules().decide(destination);
        return decision.isAllowed()
                && decision.rule() == server.passage().rule()
                && hub.spending.remaining(destination.host()) > 0;
    }

    /** A request on a kept connection is recorded. */
    @Override
    public void take() {
        Kept server = kept;
        Passage passage = following;
        if (server == null || passage == null) {
            throw new IllegalStateException("a decision about nothing");
        }
        kept = null;
        following = null;
        exchange(server.upstream(), passage, true);
    }

    @Override
    public void opened(Stream upstream, Passage passage) {
        if (asked().isConnect()) {
            connection.enter(new Tunnel(connection, upstream, passage, HttpAnswer.ESTABLISHED));
        } else {
            exchange(upstream, passage, false);
        }
    }

    /** Other requests may have spent what was left when this one was decided. */
    private void exchange(Stream upstream, Passage passage, boolean reused) {
        if (head.length > passage.remaining()) {
            upstream.close();
            String why = hub.spending.exceeded(passage.destination());
            passage.refuse(why, forbidden(why));
            connection.enter(this);
            return;
        }
        HttpExchange exchange = new HttpExchange(this, head, upstream, passage, reused);
        head = NOTHING;
        connection.enter(exchange);
    }

    /** What the client asked for last. */
    Asked asked() {
        if (asked == null) {
            throw new IllegalStateException("an answer before a request");
        }
        return asked;
    }

    /**
     * A kept connection was closed under a request that nobody has seen: asks for a new one.
     *
     * @param unsent its head
     */
    void again(byte[] unsent) {
        head = unsent;
        connection.enter(new Opening(connection, Protocol.HTTP, asked().destination(), this));
    }

    @Override
    public void denied(Outcome outcome, String sentence) throws ErrnoException {
        answer(outcome.status(), sentence);
    }

    /** The last answer. */
    void answer(int status, String sentence) throws ErrnoException {
        boolean bodiless = asked != null && asked.isForHead();
        byte[] bytes = HttpAnswer.refusal(status, sentence, bodiless);
        new Farewell(connection, bytes).take();
    }

    /**
     * An exchange is over, and another may follow.
     *
     * @param upstream owned from here on
     */
    void next(Stream upstream, Passage passage, boolean keepsUpstream) {
        if (keepsUpstream) {
            kept = new Kept(upstream, passage);
        } else {
            upstream.close();
        }
        deciding = false;
        answered = true;
        connection.dueIn(PAUSE);
        connection.enter(this);
    }

    @Override
    void overdue() throws ErrnoException {
        if (waiting) {
            answer(HttpAnswer.UNAVAILABLE, "too many requests with long heads are on their way");
        } else if (seen > 0) {
            String sentence =
                    "the request did not come within " + Arrival.PATIENCE / 1_000_000_000L + " s";
            answer(HttpAnswer.REQUEST_TIMEOUT, sentence);
        } else {
            connection.close();
        }
    }

    @Override
    void release(String reason) {
        dropKept();
        if (following != null) {
            following.end(reason);
        }
    }

    /** Whether a server closed its connection, as it may between two requests. */
    static boolean isHangUp(ErrnoException e) {
        return e.errno() == Errno.ECONNRESET || e.errno() == Errno.EPIPE;
    }
}
