package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * From a request to a connection: decided by the rules, resolved, decided once more on the
 * addresses, recorded, and only then dialled: those very addresses, the families in turn, the next
 * when one takes long (RFC 8305).
 */
final class Opening extends Stage implements Effect, Asker {
    private static final long PATIENCE = 10_000_000_000L;
    private static final long NEXT_ATTEMPT = 250_000_000L;
    private static final int ADDRESSES_MAX = 8;

    private final Connection connection;
    private final Hub hub;
    private final Protocol protocol;
    private final Destination destination;
    private final Opener opener;
    private final long until;
    private final List<IpEndpoint> endpoints = new ArrayList<>();
    private final List<Stream> attempts = new ArrayList<>();
    private final List<IpEndpoint> attempted = new ArrayList<>();
    private @Nullable Lookup lookup; // null before and after
    private @Nullable EgressRule rule; // null before the first decision
    private @Nullable Passage passage; // null before it is allowed, and once handed over
    private @Nullable Outcome outcome; // null for success
    private String sentence = "";
    private String lastFailure = "";
    private Outcome lastOutcome = Outcome.UNREACHABLE;
    private int next;
    private boolean begun;
    private boolean asking;
    private boolean dialling;

    Opening(Connection connection, Protocol protocol, Destination destination, Opener opener) {
        this.connection = connection;
        this.hub = connection.hub();
        this.protocol = protocol;
        this.destination = destination;
        this.opener = opener;
        this.until = hub.now() + PATIENCE;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    void advance() throws ErrnoException {
        if (!begun) {
            begun = true;
            connection.dueAt(until);
            decide();
        } else if (connection.client().isGone()) {
            connection.cut("the client went away");
        } else if (dialling) {
            look();
        }
    }

    private void decide() throws ErrnoException {
        Decision decision = hub.policy.rules().decide(destination);
        if (!decision.isAllowed()) {
            refuse(decision.sentence());
        } else if (hub.spending.remaining(destination.host()) == 0) {
            refuse(hub.spending.exceeded(destination));
        } else {
            rule = decision.rule();
            if (destination.isName() && decision.rule().isDomain()) {
                // The client chose the name, and whoever answers for the domain will read it.
                asking = true;
                String origin = decision.rule().origin();
                EgressEvent event = EgressEvent.asked(protocol, destination.toString(), origin);
                hub.decisions.add(event, this);
            } else if (destination.isName()) {
                lookup = hub.lookups.ask(destination.name(), this);
            } else {
                resolved(List.of(destination.address()));
            }
        }
    }

    @Override
    public void unresolvable() {
        EgressRule allowing = rule;
        if (allowing == null) {
            throw new IllegalStateException("no answer before a question");
        }
        lookup = null;
        lastOutcome = Outcome.OUT_OF_RESOURCES;
        passage = new Passage(connection, protocol, destination, allowing, "");
        fail(Reasons.noResolver(destination));
    }

    @Override
    public void resolved(List<IpAddress> addresses) {
        EgressRule allowing = rule;
        if (allowing == null) {
            throw new IllegalStateException("addresses before a decision");
        }
        lookup = null;
        String refusal = "";
        List<IpAddress> allowed = new ArrayList<>();
        for (IpAddress address : addresses) {
            Decision decision = mayDial(allowing, address);
            if (decision.isAllowed()) {
                allowed.add(address);
            } else {
                refusal = decision.sentence();
            }
        }
        if (allowed.isEmpty() && refusal.isEmpty()) {
            lastOutcome = Outcome.UNRESOLVED;
            passage = new Passage(connection, protocol, destination, allowing, "");
            fail(Reasons.noName(destination));
        } else if (allowed.isEmpty()) {
            refuse(refusal);
        } else {
            interleave(allowed);
            passage = new Passage(connection, protocol, destination, allowing, text());
            hub.decisions.add(passage.allowed(), this);
        }
    }

    /** What is the machine's own is as its loopback: services listen there for itself. */
    private Decision mayDial(EgressRule allowing, IpAddress address) {
        Decision decision = EgressRules.mayDial(allowing, destination, address);
        if (!decision.isAllowed() || allowing.mayBePrivate()) {
            return decision;
        }
        try {
            return hub.network.isOwn(address)
                    ? EgressRules.refuseOwn(destination, address)
                    : decision;
        } catch (ErrnoException e) {
            return Decision.refused(Reasons.notKnownOwn(destination, address, e.errno()), "");
        }
    }

    /** The families in turn, beginning with that of the first. */
    private void interleave(List<IpAddress> addresses) {
        List<IpAddress> same = new ArrayList<>();
        List<IpAddress> other = new ArrayList<>();
        for (IpAddress address : addresses) {
            (address.isV4() == addresses.get(0).isV4() ? same : other).add(address);
        }
        for (int i = 0; i < addresses.size(); i++) {
            if (i < same.size()) {
                add(same.get(i));
            }
            if (i < other.size()) {
                add(other.get(i));
            }
        }
    }

    private void add(IpAddress address) {
        if (endpoints.size() < ADDRESSES_MAX) {
            endpoints.add(new IpEndpoint(address, destination.port()));
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (IpEndpoint endpoint : endpoints) {
            text.append(text.isEmpty() ? "" : " ").append(endpoint);
        }
        return text.toString();
    }

    private void refuse(String why) {
        outcome = Outcome.NOT_ALLOWED;
        sentence = why;
        EgressEvent event = EgressEvent.refused(protocol, destination.toString(), why);
        hub.decisions.refuse(event, this);
    }

    private void fail(String why) {
        Passage failed = passage;
        if (failed == null) {
            throw new IllegalStateException("a failure of nothing");
        }
        closeAttempts();
        dialling = false;
        outcome = lastOutcome;
        sentence = why;
        failed.fail(why, this);
    }

    /** What was decided is recorded. */
    @Override
    public void take() throws ErrnoException {
        if (asking) {
            asking = false;
            lookup = hub.lookups.ask(destination.name(), this);
        } else if (outcome != null) {
            opener.denied(outcome, sentence);
        } else {
            dialling = true;
            dialNext();
        }
    }

    /** Begins with the next address that can be begun with; without one it waits or fails. */
    private void dialNext() {
        boolean dialled = false;
        while (!dialled && next < endpoints.size()) {
            IpEndpoint endpoint = endpoints.get(next++);
            try {
                attempts.add(Stream.dial(hub, endpoint, connection));
                attempted.add(endpoint);
                dialled = true;
            } catch (ErrnoException e) {
                note(endpoint, e.errno());
            }
        }
        if (attempts.isEmpty()) {
            fail("'" + destination + "' is not reachable: " + lastFailure);
            return;
        }
        long soon = hub.now() + NEXT_ATTEMPT;
        connection.dueAt(next < endpoints.size() && soon - until < 0 ? soon : until);
    }

    private void note(IpEndpoint endpoint, int errno) {
        lastFailure = endpoint + ": " + Errno.words(errno);
        if (errno == Errno.ECONNREFUSED) {
            lastOutcome = Outcome.REFUSED_THERE;
        } else if (errno == Errno.ETIMEDOUT) {
            lastOutcome = Outcome.TIMED_OUT;
        } else if (Errno.isShortage(errno)) {
            lastOutcome = Outcome.OUT_OF_RESOURCES;
        } else {
            lastOutcome = Outcome.UNREACHABLE;
        }
    }

    /** What became of the attempts. */
    private void look() throws ErrnoException {
        boolean lost = false;
        for (int i = attempts.size() - 1; i >= 0; i--) {
            Stream attempt = attempts.get(i);
            if (!attempt.isWritable()) {
                continue;
            }
            int errno = attempt.dialError();
            if (errno == 0 && !attempt.isGone()) {
                reached(i);
                return;
            }
            note(attempted.get(i), errno);
            attempts.remove(i).close();
            attempted.remove(i);
            lost = true;
        }
        if (lost) {
            dialNext();
        }
    }

    private void reached(int index) throws ErrnoException {
        Passage open = passage;
        if (open == null) {
            throw new IllegalStateException("reached what was not allowed");
        }
        Stream upstream = attempts.remove(index);
        open.reached(attempted.remove(index).toString());
        closeAttempts();
        dialling = false;
        passage = null;
        opener.opened(upstream, open);
    }

    private void stopAsking() {
        Lookup waiting = lookup;
        if (waiting != null) {
            hub.lookups.leave(waiting, this);
            lookup = null;
        }
    }

    private void closeAttempts() {
        for (Stream attempt : attempts) {
            attempt.close();
        }
        attempts.clear();
        attempted.clear();
    }

    @Override
    void overdue() {
        if (hub.now() - until < 0) {
            dialNext();
            return;
        }
        stopAsking();
        EgressRule allowing = rule;
        if (passage == null && allowing != null) {
            passage = new Passage(connection, protocol, destination, allowing, "");
        }
        lastOutcome = Outcome.TIMED_OUT;
        fail("'" + destination + "' is not reachable: no answer within " + PATIENCE / 1_000_000_000L
                + " s");
    }

    @Override
    void release(String reason) {
        stopAsking();
        closeAttempts();
        if (passage != null) {
            passage.end(reason);
        }
    }
}
