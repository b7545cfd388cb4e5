package glove.gateway;

/** Something an upstream lists. Immutable. */
final class Item {
    private final String name;
    private final String agentName;
    private final byte[] definition;
    private final String hidden;

    /**
     * One.
     *
     * @param name as the upstream has it
     * @param agentName as agents know it: another for tools and prompts, the same for URIs
     * @param definition for agents; nobody changes it any more
     * @param hidden why agents do not see it; empty when they do
     */
    Item(String name, String agentName, byte[] definition, String hidden) {
        this.name = name;
        this.agentName = agentName;
        this.definition = definition;
        this.hidden = hidden;
    }

    String name() {
        return name;
    }

    String agentName() {
        return agentName;
    }

    byte[] definition() {
        return definition;
    }

    String hidden() {
        return hidden;
    }

    boolean isShown() {
        return hidden.isEmpty();
    }
}
