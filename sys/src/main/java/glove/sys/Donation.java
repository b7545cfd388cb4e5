package glove.sys;

/** A descriptor a child gets, and the number it has there. */
public record Donation(Fd fd, int number) {}
