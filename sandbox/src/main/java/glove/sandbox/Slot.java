package glove.sandbox;

/** A numbered place where the launcher keeps the result of a step, usually a descriptor. */
record Slot(int number) {}
