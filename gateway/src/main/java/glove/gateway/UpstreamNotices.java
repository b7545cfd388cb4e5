package glove.gateway;

import glove.gateway.GatewayEvent.Kind;
import glove.gateway.GatewayEvent.Subject;
import glove.wire.JsonKind;
import glove.wire.JsonSplice;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.Optional;

/**
 * What an upstream tells without being asked: passed on to the agents it concerns, not more often
 * than they can take. Confined to the gateway's thread.
 */
final class UpstreamNotices {
    /** Of a log message or a progress. */
    private static final int BYTES_MAX = 64 << 10;

    private final Hub hub;
    private final UpstreamSession upstream;
    private final Bucket bucket;
    private boolean isFloodTold;

    UpstreamNotices(Hub hub, UpstreamSession upstream) {
        this.hub = hub;
        this.upstream = upstream;
        this.bucket = new Bucket(hub.limits.notificationsPerSecond(), hub.now());
    }

    /** A notification of the upstream. */
    void take(Message notification) {
        String method = notification.method();
        for (ListKind kind : ListKind.values()) {
            if (method.equals(kind.changed())) {
                upstream.lists().changed(kind); // they bound themselves
            }
        }
        switch (method) {
            case Protocol.CANCELLED -> upstream.asks().cancelled(notification);
            case Protocol.PROGRESS -> progress(notification);
            case Protocol.LOG_MESSAGE -> log(notification);
            case Protocol.RESOURCE_UPDATED -> updated(notification);
            default -> unknown(method);
        }
    }

    private void unknown(String method) {
        for (ListKind kind : ListKind.values()) {
            if (method.equals(kind.changed())) {
                return;
            }
        }
        drop(method, "no such notification is known here");
    }

    private void drop(String method, String why) {
        Subject subject = new Subject(Answers.shown(method), upstream.spec().name(), "");
        upstream.refusals().add(GatewayEvent.of(Kind.REFUSED, 0, subject).because(why));
    }

    /** Whether one more may be passed on. */
    private boolean isTaken(Message notification) {
        if (notification.byteCount() > BYTES_MAX) {
            drop(notification.method(), "it is larger than " + BYTES_MAX + " bytes");
            return false;
        }
        if (bucket.take(hub.now())) {
            return true;
        }
        if (!isFloodTold) {
            isFloodTold = true;
            hub.owner.report(upstream.spec().name() + " sends more than "
                    + hub.limits.notificationsPerSecond()
                    + " notifications a second; the others are left out");
        }
        return false;
    }

    /** Some readers ignore case: they would take such a member for the one that was looked at. */
    private boolean hasLookalike(Message notification, String... names) {
        for (String name : names) {
            if (notification.params().isPresent()
                    && notification.params().get().hasLookalike(name)) {
                drop(notification.method(), "a member spelt almost as '" + name + "'");
                return true;
            }
        }
        return false;
    }

    /** It is a sign of life in any case. */
    private void progress(Message progress) {
        if (hasLookalike(progress, Protocol.PROGRESS_TOKEN, "progress", "total", "_meta")) {
            return;
        }
        if (isTaken(progress)) {
            upstream.requests().progress(progress, hub.now());
        } else {
            upstream.requests().alive(progress, hub.now());
        }
    }

    private void log(Message message) {
        if (hasLookalike(message, "level", "logger", "data", "_meta")) {
            return;
        }
        int level = Protocol.LEVELS.indexOf(message.text("level").orElse(""));
        boolean whole = level >= 0 && message.param("data").isPresent();
        if (!whole) {
            drop(message.method(), "a log message without level or data");
            return;
        }
        if (!hub.policy.allowsSomethingOf(upstream.spec().name())) {
            return; // its words would reach the model all the same
        }
        if (!isTaken(message)) {
            return;
        }
        JsonValue params = message.params().orElseThrow();
        Optional<JsonValue> logger = params.member("logger", JsonKind.STRING);
        String name = upstream.spec().name();
        String from = logger.isPresent() ? name + "/" + logger.get().string() : name;
        JsonSplice splice = new JsonSplice(message.root());
        Rewriting.stripMeta(message, splice);
        splice.put(params, "logger", new JsonWriter().value(from).toBytes());
        byte[] frame = splice.toBytes();
        for (AgentSession agent : hub.agents()) {
            if (agent.wantsLog(level)) {
                agent.notify(frame);
            }
        }
    }

    private void updated(Message notification) {
        if (hasLookalike(notification, "uri", "_meta")) {
            return;
        }
        Optional<String> uri = notification.text("uri");
        if (uri.isEmpty() || !hub.policy.showsResource(upstream.spec().name(), uri.get())) {
            drop(notification.method(), "a resource that nobody may see");
            return;
        }
        if (!isTaken(notification)) {
            return;
        }
        JsonSplice splice = new JsonSplice(notification.root());
        Rewriting.stripMeta(notification, splice);
        byte[] frame = splice.toBytes();
        for (AgentSession agent : upstream.subscriptions().concerned(uri.get())) {
            agent.notify(frame);
        }
    }
}
