package glove.egress;

import glove.sys.ErrnoException;

/** A last answer, once the decision behind it is recorded. */
@SuppressWarnings("ArrayRecordComponent") // sent once, never compared
record Farewell(Connection connection, byte[] answer) implements Effect {
    @Override
    public void take() throws ErrnoException {
        if (connection.client().sendWhole(answer)) {
            connection.linger();
        } else {
            connection.cut("");
        }
    }
}
