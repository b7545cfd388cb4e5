package glove.gateway;

/** Bounds of a gateway of which a test chooses some. */
final class TestLimits {
    private static final GatewayLimits USUAL = GatewayLimits.standard();

    int frameBytes = USUAL.frameBytes();
    int agentQueueBytes = USUAL.agentQueueBytes();
    int agentHoardBytes = USUAL.agentHoardBytes();
    int upstreamFrames = USUAL.upstreamFrames();
    int upstreamQueueBytes = USUAL.upstreamQueueBytes();
    int pages = USUAL.pages();
    int items = USUAL.items();
    int pageItems = USUAL.pageItems();
    long firstMillis = USUAL.times().first();
    long idleMillis = USUAL.times().idle();
    long hardMillis = USUAL.times().hard();
    HeapShares shares = USUAL.shares();

    GatewayLimits made() {
        return new GatewayLimits(
                USUAL.agents(),
                frameBytes,
                USUAL.agentRequests(),
                agentQueueBytes,
                agentHoardBytes,
                upstreamFrames,
                upstreamQueueBytes,
                USUAL.malformed(),
                pages,
                items,
                pageItems,
                USUAL.notificationsPerSecond(),
                times(),
                shares);
    }

    private GatewayLimits.Times times() {
        GatewayLimits.Times usual = USUAL.times();
        return new GatewayLimits.Times(
                usual.hello(),
                usual.start(),
                firstMillis,
                idleMillis,
                hardMillis,
                usual.refresh(),
                usual.restartFirst(),
                usual.restartMost());
    }
}
