package glove.sandbox;

import glove.sys.UnixPath;

/**
 * A file Glove puts into the agent's HOME, for a tool that would not work without. It is the
 * agent's: it may change it.
 *
 * @param place below HOME
 * @param content owned by this record: nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // two files are never compared
public record HomeFile(UnixPath place, byte[] content) {}
