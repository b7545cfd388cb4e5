package glove.sys;

/** A descriptor a child gets, and the number it has there. */
public record Donation(Fd fd, int number) {
    /** Checks the number. */
    public Donation {
        if (number < 0) {
            throw new Bug("a descriptor number is not negative: " + number);
        }
    }
}
