package glove.egress;

import glove.sys.ErrnoException;

import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, once that is allowed. Both heads are written anew; bodies pass as
 * they are, each as long as its head says. Owns the upstream.
 */
final class HttpExchange extends Stage {
    private final HttpRequests requests;
    private final Connection connection;
    private final Hub hub;
    private final RequestHead request;
    private final Stream upstream;
    private final Passage passage;
    private final boolean reused;
    private final Way out;
    private final Way in;
    private final Body sent;
    private @Nullable ResponseHead answer; // null until the one that is no interim one is whole
    private @Nullable Body received; // null as long as the answer is
    private boolean handedOver;
    private boolean begun;
    private boolean said;
    private boolean released;
    private int seen;

    /**
     * Begins with the head.
     *
     * @param upstream owned from here on
     * @param reused whether it has served another request before
     */
    HttpExchange(
            HttpRequests requests,
            RequestHead request,
            Stream upstream,
            Passage passage,
            boolean reused) {
        this.requests = requests;
        this.connection = requests.connection();
        this.hub = connection.hub();
        this.request = request;
        this.upstream = upstream;
        this.passage = passage;
        this.reused = reused;
        Stream client = connection.client();
        this.out = new Way(hub, client, upstream, passage, true);
        this.in = new Way(hub, upstream, client, passage, false);
        byte[] head = request.upstream();
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
            conclude(more);
        }
    }

    /** Passes on what comes from the server. */
    private boolean receive() throws ErrnoException, MalformedException {
        if (received != null) {
            return received.advance();
        }
        boolean more = in.advance();
        while (answer == null && !handedOver && in.isDrained() && upstream.isReadable()) {
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
        if (end < 0) {
            seen = count;
            upstream.awaitBytes();
            return false;
        }
        ResponseHead head = ResponseHead.parse(hub.scratch, 0, end, request);
        upstream.skip(end);
        seen = 0;
        said = true;
        if (head.isSwitch()) {
            switchOver(head);
            return false;
        }
        in.send(head.downstream());
        if (!head.isInterim()) {
            answer = head;
            received = new Body(hub, in, upstream, head.framing(), ChunkScanner.ofResponse());
        }
        return true;
    }

    /** Both speak another protocol now. */
    private void switchOver(ResponseHead head) throws MalformedException {
        if (!sent.isDone()) {
            throw new MalformedException(
                    HttpAnswer.BAD_GATEWAY, "the server answered before it had the request");
        }
        handedOver = true;
        connection.enter(Tunnel.switched(connection, upstream, passage, head.downstream()));
    }

    /** The server hung up without a word. */
    private void unanswered() throws ErrnoException {
        boolean unseen = reused && !said && seen == 0 && !request.framing().hasBody();
        if (unseen && isRepeatable()) {
            passage.end("the server had closed the connection; the request is made again");
            upstream.close();
            handedOver = true;
            requests.again(request);
            return;
        }
        badAnswer("'" + request.destination() + "' closed the connection without an answer");
    }

    /** Whether making it twice is as good as once (RFC 9110 §9.2.2). */
    private boolean isRepeatable() {
        String method = request.method();
        return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
    }

    private void badAnswer(String sentence) throws ErrnoException {
        if (answer != null || !in.isDrained()) {
            connection.cut("broken off: " + sentence);
            return;
        }
        passage.end("broken off: " + sentence);
        requests.answer(HttpAnswer.BAD_GATEWAY, sentence);
    }

    private void conclude(boolean more) throws ErrnoException {
        Body body = received;
        ResponseHead head = answer;
        if (passage.isExceeded()) {
            connection.cut(hub.spending.exceeded(passage.destination()));
        } else if (connection.client().isGone() || in.isBroken()) {
            connection.cut("the client went away");
        } else if (sent.isCut()) {
            connection.cut("broken off: the client ended within a request");
        } else if (body != null && body.isCut()) {
            connection.cut("broken off: the server ended within an answer");
        } else if (head != null && body != null && body.isDone()) {
            finish(head);
        } else if (more) {
            hub.wake(connection);
        }
    }

    private void finish(ResponseHead head) throws ErrnoException {
        passage.end("");
        if (head.keepsClient() && sent.isDone()) {
            handedOver = true;
            out.close();
            in.close();
            requests.next(upstream, passage, head.keepsUpstream());
        } else {
            connection.linger();
        }
    }

    @Override
    void overdue() {
        if (connection.isIdle()) {
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
