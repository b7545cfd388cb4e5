package glove.egress;

/** What may leave a run, and how much of it. Immutable. */
public record EgressPolicy(EgressRules rules, EgressLimits limits) {}
