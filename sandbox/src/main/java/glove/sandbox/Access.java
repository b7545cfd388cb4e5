package glove.sandbox;

/** What a grant lets the agent do with a host path. */
public enum Access {
    READ,
    WRITE
}
