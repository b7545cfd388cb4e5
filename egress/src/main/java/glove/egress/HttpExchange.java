package glove.egress;

import glove.sys.ErrnoException;

import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, once that is allowed. Both heads are written anew, and forgotten once
 * they are sent; bodies pass as they are, each as long as its head says. Owns the upstream.
 */
final class HttpExchange extends Stage {
    /** Interim answers to one request; servers send one or two. */
    private static final int INTERIMS_MAX = 32;

    /** Heads read in a row before others have their turn. */
    private static final int HEADS_AT_ONCE = 4;

    private static final int CONTINUE = 100;
    private static final String CLIENT_ENDED = "the client ended within a request";

    private static final byte[] NOTHING = {};

    private final HttpRequests requests;
    private final Connection connection;
    private final Hub hub;
    private final Asked request;
    private final int headBytes;
    private final Stream upstream;
    private final Passage passage;
    private final boolean reused;
    private final Way out;
    private final Way in;
    private final Body sent;
    private byte[] head; // none once it will not be sent again
    private @Nullable Body received; // null until the answer's head is whole
    private boolean keepsUpstream;
    private boolean keepsClient;
    private boolean continued;
    private int interims;
    private boolean handedOver;
    private boolean begun;
    private boolean said;
    private boolean released;
    private int seen;

    /**
     * Begins with the head, which has to fit into what may still go out.
     *
     * @param head counted as the connection's until it is sent
     * @param upstream owned from here on
     * @param reused whether it has served another request before
     */
    HttpExchange(
            HttpRequests requests, byte[] head, Stream upstream, Passage passage, boolean reused) {
        this.requests = requests;
        this.connection = requests.connection();
        this.hub = connection.hub();
        this.request = requests.asked();
        this.headBytes = head.length;
        this.head = reused && request.isRepeatable() ? head : NOTHING;
        this.upstream = upstream;
        this.passage = passage;
        this.reused = reused;
        Stream client = connection.client();
        this.out = new Way(hub, client, upstream, passage, true);
        this.in = new Way(hub, upstream, client, passage, false);
        passage.taken(head.length);
        out.send(head);
        this.sent = new Body(hub, out, client, request.framing(), ChunkScanner.ofRequest());
    }

    @Override
    void advance() throws ErrnoException {
        if (!begun) {
            begun = true;
            connection.dueWhenIdle();
        }
        boolean more;
        try {
            more = sent.advance();
        } catch (MalformedException e) {
            // Part of it may be with the server already: it must not take what follows for more.
            connection.cut("broken off: " + e.getMessage());
            return;
        }
        try {
            more |= receive();
        } catch (MalformedException e) {
            badAnswer(e.getMessage());
            return;
        } catch (ErrnoException e) {
            if (said || !HttpRequests.isHangUp(e)) {
                throw e;
            }
            unanswered();
            return;
        }
        if (!handedOver && !released) {
            dropHeads();
            conclude(more);
        }
    }

    private void dropHeads() {
        if (head.length == 0 && !out.owesGiven()) {
            connection.requestHeads().drop();
        }
        if (!in.owesGiven()) {
            connection.answerHeads().drop();
        }
    }

    /** Passes on what comes from the server. */
    private boolean receive() throws ErrnoException, MalformedException {
        if (received != null) {
            return received.advance();
        }
        boolean more = in.advance();
        int heads = 0;
        while (received == null && !handedOver && in.isDrained() && upstream.isReadable()) {
            connection.answerHeads().drop();
            if (++heads > HEADS_AT_ONCE) {
                return true;
            }
            if (!readHead()) {
                return more;
            }
            more |= in.advance();
        }
        return (received != null && received.advance()) || more;
    }

    /** Reads one head of an answer; false when it is not whole, or there is no more to read. */
    private boolean readHead() throws ErrnoException, MalformedException {
        int count = upstream.peek(RequestHead.BYTES_MAX);
        if (count < 0) {
            return false;
        }
        if (count == 0) {
            unanswered();
            return false;
        }
        int end = ResponseHead.end(hub.scratch, 0, seen, count);
        if (end < 0 && upstream.isEnded()) {
            seen = count;
            unanswered();
            return false;
        }
        if (end < 0 && upstream.isUrgent()) {
            throw new MalformedException(
                    HttpAnswer.BAD_GATEWAY, "the server sent urgent data within a head");
        }
        if (end < 0) {
            seen = count;
            upstream.awaitBytes();
            return false;
        }
        if (connection.answerHeads().mustWait()) {
            return false;
        }
        ResponseHead found = ResponseHead.parse(hub.scratch, 0, end, request);
        upstream.skip(end);
        seen = 0;
        said = true;
        head = NOTHING;
        pass(found);
        return !handedOver;
    }

    private void pass(ResponseHead found) throws MalformedException {
        // With a part of the request still to come nothing can follow it: the client is told.
        boolean early = !sent.isDone();
        byte[] bytes = found.downstream(early);
        connection.answerHeads().hold(bytes.length);
        if (found.isSwitch()) {
            switchOver(bytes);
            return;
        }
        in.send(bytes);
        if (found.isInterim()) {
            continued |= found.status() == CONTINUE;
            if (++interims > INTERIMS_MAX) {
                throw new MalformedException(
                        HttpAnswer.BAD_GATEWAY,
                        "the server sent more than " + INTERIMS_MAX + " interim answers");
            }
            return;
        }
        keepsClient = found.keepsClient() && !early;
        keepsUpstream = found.keepsUpstream();
        received = new Body(hub, in, upstream, found.framing(), ChunkScanner.ofResponse());
    }

    /** Both speak another protocol now. */
    private void switchOver(byte[] greeting) throws MalformedException {
        if (!sent.isDone()) {
            throw new MalformedException(
                    HttpAnswer.BAD_GATEWAY, "the server answered before it had the request");
        }
        handedOver = true;
        connection.enter(Tunnel.switched(connection, upstream, passage, greeting));
    }

    /** The server hung up without a word. */
    private void unanswered() throws ErrnoException {
        boolean unseen = reused && !said && seen == 0;
        if (unseen && request.isRepeatable()) {
            passage.end("the server had closed the connection; the request is made again");
            upstream.close();
            handedOver = true;
            requests.again(head);
        } else if (unseen) {
            // A client knows this of servers, and whether it may ask once more.
            passage.end("the server had closed the connection");
            connection.close();
        } else {
            badAnswer("'" + request.destination() + "' closed the connection without an answer");
        }
    }

    private void badAnswer(String sentence) throws ErrnoException {
        if (received != null || !in.isDrained()) {
            connection.cut("broken off: " + sentence);
            return;
        }
        passage.end("broken off: " + sentence);
        requests.answer(HttpAnswer.BAD_GATEWAY, sentence);
    }

    private void conclude(boolean more) throws ErrnoException {
        Body body = received;
        if (passage.isExceeded()) {
            connection.cut(hub.spending.exceeded(passage.destination()));
        } else if (connection.client().isGone() || in.isBroken()) {
            connection.cut("the client went away");
        } else if (body != null && body.isDone()) {
            finish(more);
        } else if (sent.isCut()) {
            connection.cut("broken off: " + CLIENT_ENDED);
        } else if (body != null && body.isCut()) {
            connection.cut("broken off: the server ended within an answer");
        } else if (more) {
            hub.wake(connection);
        }
    }

    /** The answer is with the client; the request may not be with the server yet. */
    private void finish(boolean more) throws ErrnoException {
        if (sent.isDone()) {
            passage.end("");
            if (keepsClient) {
                handedOver = true;
                out.close();
                in.close();
                requests.next(upstream, passage, keepsUpstream);
            } else {
                connection.linger();
            }
        } else if (sent.isCut()) {
            end(CLIENT_ENDED);
        } else if (out.isBroken() || upstream.isEnded()) {
            end("the server ended before it had the request");
        } else if (isClientWaiting()) {
            end("the server did not ask for the rest of the request");
        } else if (more) {
            hub.wake(connection);
        }
    }

    private void end(String why) throws ErrnoException {
        passage.end("broken off: " + why);
        connection.linger();
    }

    /** It was not told to continue, and so will not. */
    private boolean isClientWaiting() {
        return request.expectsContinue() && !continued && passage.bytesOut() <= headBytes;
    }

    @Override
    void overdue() throws ErrnoException {
        Body body = received;
        if (connection.isIdle() && body != null && body.isDone()) {
            end("the rest of the request did not come");
        } else if (connection.isIdle()) {
            connection.cutIdle();
        } else {
            connection.dueWhenIdle();
        }
    }

    @Override
    boolean isSending() {
        return !sent.isDone() || !out.isDrained();
    }

    @Override
    void release(String reason) {
        released = true;
        out.close();
        in.close();
        if (!handedOver) {
            if (reason.isEmpty()) {
                upstream.close();
            } else {
                upstream.reset();
            }
            passage.end(reason);
        }
    }
}
