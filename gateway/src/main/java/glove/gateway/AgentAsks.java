package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an agent is asked by upstreams. Confined to the gateway's thread. */
final class AgentAsks {
    private static final long MILLI = 1_000_000L;

    private final Hub hub;
    private final AgentSession agent;
    private final Map<Long, Ask> open = new LinkedHashMap<>();
    private Set<String> capabilities = Set.of();
    private long last;

    AgentAsks(Hub hub, AgentSession agent) {
        this.hub = hub;
        this.agent = agent;
    }

    /** Takes what the agent says it can. */
    void setCapabilities(Message initialize) {
        Optional<JsonValue> said =
                initialize.param("capabilities").filter(value -> value.is(JsonKind.OBJECT));
        Set<String> names = new HashSet<>();
        for (String known : List.of("sampling", "elicitation")) {
            if (said.isPresent() && said.get().member(known).isPresent()) {
                names.add(known);
            }
        }
        capabilities = Set.copyOf(names);
    }

    /** Whether it can answer that kind of question. */
    boolean isAble(boolean isSampling) {
        return capabilities.contains(isSampling ? "sampling" : "elicitation");
    }

    /** An ask of an upstream, under a number of its own. */
    Ask open(UpstreamSession upstream, Message request) {
        long due = hub.now() + hub.limits.times().first() * MILLI;
        Ask ask = new Ask(upstream, agent, request, ++last, due);
        open.put(ask.number(), ask);
        return ask;
    }

    void closed(Ask ask) {
        open.remove(ask.number());
    }

    /** Takes an answer; whether it was one to an ask. */
    boolean answer(Message answer) {
        Ask ask = open.get(answer.id().ours());
        if (ask != null) {
            ask.answered(answer);
        }
        return ask != null;
    }

    /** Takes a progress notification; of what is not under way it means nothing. */
    void progress(Message progress) {
        long number = progress.param(Protocol.PROGRESS_TOKEN)
                .flatMap(MessageId::read)
                .map(MessageId::ours)
                .orElse(-1L);
        Ask ask = open.get(number);
        if (ask != null) {
            ask.progressed(progress);
        }
    }

    /** The agent is gone. */
    void loseAll(String reason) {
        new ArrayList<>(open.values()).forEach(ask -> ask.lost(reason));
    }
}
