package glove.app;

/**
 * One thing the sandbox kept from the agent.
 *
 * @param tried what was tried: {@code read}, {@code write}, {@code execute}, {@code connect} ...
 * @param subject the path, or what else it was tried on
 * @param rule why that is denied
 * @param option what would allow it; empty when nothing does
 */
record Denial(String tried, String subject, String rule, String option) {
    String sentence() {
        return "denied: " + tried + " '" + subject + "': " + rule
                + (option.isEmpty() ? "" : "; allowed by " + option);
    }
}
