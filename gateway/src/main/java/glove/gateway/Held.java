package glove.gateway;

/**
 * A request of an agent that waits until upstreams have told what they have. Immutable.
 *
 * @param request as it came
 */
record Held(Message request) implements Open {
    @Override
    public void cancel(String reason) {} // nothing has begun
}
