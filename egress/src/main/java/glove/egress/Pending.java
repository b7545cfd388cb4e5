package glove.egress;

/** Until what was decided is recorded, and the answer given. */
final class Pending extends Stage {
    @Override
    void advance() {}

    @Override
    void overdue() {}

    @Override
    void release(String reason) {}
}
