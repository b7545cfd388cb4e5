package glove.session;

/**
 * A record of the session store. Immutable.
 *
 * @param head its place in the chain
 * @param session what is known of its session from now on
 */
record StoredRecord(RecordHead head, SessionRecord session) {}
