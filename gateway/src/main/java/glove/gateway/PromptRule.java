package glove.gateway;

/**
 * Prompts of an upstream an agent may see. Immutable.
 *
 * @param upstream its name
 * @param prompt the one; empty for all
 */
public record PromptRule(String upstream, String prompt) {}
