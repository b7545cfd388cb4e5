package glove.wire;

/** A constant of an enum that formats write as a word. Immutable. */
public interface WireWord {
    /** As it is written. */
    String word();
}
