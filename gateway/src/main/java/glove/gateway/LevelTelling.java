package glove.gateway;

import glove.wire.JsonWriter;

import java.util.Optional;

/**
 * Tells one run of an upstream which log messages some agent wants: when that changed, one request
 * at a time, however often agents change their minds. Confined to the gateway's thread.
 */
final class LevelTelling {
    private final Hub hub;
    private final UpstreamSession upstream;
    private String told = "";
    private boolean isTelling;

    LevelTelling(Hub hub, UpstreamSession upstream) {
        this.hub = hub;
        this.upstream = upstream;
    }

    /** Tells it when it may be heard and has not been told yet. */
    void tell() {
        Optional<String> level = hub.logLevel();
        boolean isHeard = upstream.isReady()
                && upstream.hello().has("logging")
                && hub.policy.allowsSomethingOf(upstream.spec().name());
        boolean isNews = level.isPresent() && !level.get().equals(told);
        if (isHeard && isNews && !isTelling) {
            told = level.get();
            isTelling = true;
            JsonWriter params = new JsonWriter().beginObject().member("level", level.get());
            byte[] json = params.endObject().toBytes();
            OwnRequest request = new OwnRequest(answer -> over(), reason -> over());
            upstream.askOwn(request, "logging/setLevel", json);
        }
    }

    private void over() {
        isTelling = false;
        tell();
    }
}
