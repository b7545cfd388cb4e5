import org.jspecify.annotations.NullMarked;

/** The command line. */
@NullMarked
module glove.app {
    requires static transitive org.jspecify;
    requires glove.sys;
    requires glove.wire;
    requires glove.policy;
    requires glove.journal;
    requires glove.host;
    requires glove.session;
    requires glove.egress;
    requires glove.gateway;
    requires glove.sandbox;
    requires jdk.unsupported; // sun.misc.Signal: the JDK's only way to hear SIGINT and SIGHUP
}
