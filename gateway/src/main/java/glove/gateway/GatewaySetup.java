package glove.gateway;

/**
 * What a gateway works with. Immutable.
 *
 * @param policy what passes
 * @param limits how much of it
 * @param audit where it is recorded
 * @param pins where definitions are kept
 * @param owner who is told
 * @param clock for all times
 * @param version what peers are told that this is
 */
public record GatewaySetup(
        GatewayPolicy policy,
        GatewayLimits limits,
        GatewayAudit audit,
        PinStore pins,
        GatewayOwner owner,
        NanoClock clock,
        String version) {}
