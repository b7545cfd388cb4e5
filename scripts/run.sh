# Sourced by glove and scripts/build, so that both mean the same by "fresh" and start the JVM with
# the same flags: an AOT cache is only taken with those it was made with. Costs one process, find.
# What follows the line "Shared" is also in the starters of an image (scripts/image).
# shellcheck shell=sh disable=SC2034 # variables for the caller

image=

# is_fresh TREE: whether TREE/target/run can be used as it is. Sets jdk and run, the directory
# behind the link, which a later build leaves alone; and what take_limits does. With "loudly" as
# second word, find says what it does not like.
is_fresh() {
    link=$1/target/run
    { read -r jdk && read -r run && read -r home; } 2>/dev/null <"$link/settings" || return 1
    [ -x "$jdk/bin/java" ] || return 1
    if [ ! "$home" -ef "$1" ]; then
        # A copied or moved tree: its caches name their jars by the old path and are not taken.
        [ ! -w "$1/target" ] || return 1
        home=$(cd "$1" && pwd -P)
    fi
    run=$home/target/$run
    [ ! "$jdk/release" -nt "$link/stamp" ] || return 1
    # A removed file changes its directory. [!t] leaves out native/target. The limits cost nothing
    # here: the shell that becomes find tells them first.
    # Its status counts: words on stderr may be of the loader, of LD_PRELOAD say.
    looked=$(
        [ "${2-}" = loudly ] || exec 2>/dev/null
        tell_limits
        find "$1/glove" "$1/pom.xml" "$1/scripts/build" "$1/scripts/run.sh" \
            "$1/scripts/aot-training" "$1/scripts/training" "$1"/native/[!t]* "$1"/*/pom.xml \
            "$1"/*/src/main -newer "$link/stamp" -print -quit
    ) || return 1
    case $looked in
    *"$newline"*"$newline"*"$newline"*) return 1 ;;
    esac
    take_limits
    place=$home
}

# Shared.
newline='
'

# tell_limits: three lines, which take_limits makes variables of; what follows them stays.
tell_limits() {
    ulimit -v
    ulimit -d
    ulimit -u 2>/dev/null || ulimit -p # which is another one in bash
}

take_limits() {
    address_space=${looked%%"$newline"*}
    looked=${looked#*"$newline"}
    data=${looked%%"$newline"*}
    looked=${looked#*"$newline"}
    processes=${looked%%"$newline"*}
    looked=${looked#*"$newline"}
}

# has_tools NAME: whether PATH has what a look at the sources and scripts/build itself need, said if
# not; what the build starts it asks for. Only asked when is_fresh fails, as it does without find.
has_tools() {
    for tool in find dirname cat chmod cp cut grep id ln mkdir mv readlink rm sed sha256sum stat \
        tail touch; do
        command -v "$tool" >/dev/null || {
            echo "$1: there is no '$tool' in PATH: PATH=\$PATH:/usr/bin:/bin $1 ..." >&2
            return 1
        }
    done
}

# starts_java MODE CACHE: whether a JVM starts, said if not. Where it does not it ends with status 1
# and lines on stdout, as if that were the command's. With 2 GB of addresses it starts, and fails
# now and then; with few processes it is tried. Of data it wants its heap, and up to 60 MB besides.
# Its parts are in lists that colons divide.
starts_java() {
    case $place in
    *:*)
        echo "glove: no JVM starts below '$place': move Glove to a path without ':'" >&2
        return 1
        ;;
    esac
    needed=128
    case $1 in
    serve | daemon) needed=600 ;;
    esac
    [ "$data" = unlimited ] || [ "$data" -ge ${needed}000 ] || {
        echo "glove: the JVM needs $needed MB of data: ulimit -d unlimited (now $data)" >&2
        return 1
    }
    [ "$address_space" = unlimited ] || [ "$address_space" -ge 3000000 ] || {
        echo "glove: the JVM needs 3 GB of addresses: ulimit -v unlimited (now $address_space)" >&2
        return 1
    }
    [ "$processes" = unlimited ] || [ "$processes" -ge 128 ] ||
        (become_java "$1" "$2" --version) >/dev/null 2>&1 </dev/null || {
        echo "glove: too few processes for the JVM: ulimit -u 128 (now $processes)" >&2
        return 1
    }
}

# become_java MODE CACHE ARG...: replaces the shell by Glove. CACHE is an option. MODE is "open",
# "deny", "serve" or "daemon": in the middle two code outside glove.sys that loads native code gets
# an error instead of a warning, and "serve" may hold several messages of the largest size.
# -Xlog:disable: the JVM prints its warnings to stdout, which belongs to the agent.
# -XX:-PrintWarnings: others go to stderr, as that of a .hotspotrc or .hotspot_compiler in the
# working directory, which it does not read.
# -Xrs: Glove handles signals itself. A JVM that does not handle SIGQUIT listens on a socket in /tmp
# for whoever wants to load code into it, the agent too: -XX:+DisableAttachMechanism.
# A JVM that crashes would leave its report in the workspace: -XX:+ErrorFileToStderr.
# "daemon" is gloved: its memory is bounded by what it holds, and given back. It has no wall of the
# JVM's: that would cost it the linked classes and profiles of its cache, which are half of its
# start. scripts/build looks at the jars instead (docs/adr/0024).
# "open" is for verbs that start, wait and end: they do too little to repay a compiler's start. Their
# wall is free in an image, which has no archived modules to lose (docs/adr/0002).
# In an image the modules, and who may load native code, are linked in.
become_java() {
    wall=
    compiler=-Xint
    heap=-Xmx48m
    [ "$1" = open ] || compiler=-XX:TieredStopAtLevel=1
    [ "$1" = daemon ] || [ "$1$image" = open ] || wall=--illegal-native-access=deny
    [ "$1" != serve ] || heap=-Xmx384m
    main=glove.app/glove.app.Glove
    # Its digests are 10 times as fast with the second compiler.
    [ "$1" != daemon ] || {
        main=glove.host/glove.host.Gloved
        heap=-Xmx428m
        compiler=-XX:+TieredCompilation
    }
    cache=$2
    shift 2
    # These would print "Picked up ..." on stderr, and change the JVM.
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
    path=
    if [ -z "$image" ]; then
        path=$run/sys.jar:$run/wire.jar:$run/policy.jar:$run/journal.jar:$run/egress.jar
        path=$path:$run/gateway.jar:$run/session.jar:$run/host.jar:$run/sandbox.jar:$run/app.jar
        path=$path:$run/jackson-core.jar:$run/re2j.jar
    fi
    exec "$jdk/bin/java" "$cache" -Xlog:disable -XX:-PrintWarnings -XX:+UseSerialGC \
        "$compiler" -XX:-UsePerfData -XX:+DisableAttachMechanism -XX:+ErrorFileToStderr \
        -XX:-MaxFDLimit -Xrs -Xms8m "$heap" -Xss512k ${wall:+"$wall"} -Dglove.native="$run" \
        ${path:+--enable-native-access=glove.sys -p "$path"} -m "$main" "$@"
}
