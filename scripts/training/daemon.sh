# Sourced by scripts/build and scripts/image: what the cache of gloved is recorded with. Uses their
# variables scratch (the directory), jdk and log.
# shellcheck shell=sh disable=SC2154 # those

# prepare_daemon JAVA COMMAND...: makes the files for a daemon that has everything, and a store with
# sessions in it, since reading one is half of what it does at its start: by COMMAND --config FILE,
# a first daemon. Then somebody waits for the one to be recorded. JAVA is what both run by.
prepare_daemon() {
    daemon_java=$(readlink -f "$1")
    shift
    mkdir -m 700 "$scratch/runtime" "$scratch/state" "$scratch/projects"
    expires=$(($(date +%s) * 1000 + 3000000)) # its policy allows an hour, which no build takes
    (
        umask 077
        printf '%064d\n' 0 >"$scratch/key"
        for file in config policy exposures plan; do
            sed "s|@EXPIRES|$expires|; s|@|$scratch|" "$scratch/$file.json.in" \
                >"$scratch/$file.json"
        done
    )
    ask_daemon first
    ("$@" --config "$scratch/config.json") </dev/null >>"$log" 2>&1 || true
    : >"$scratch/first.ended"
    rm -f "$scratch/runtime/gloved.sock"
    ask_daemon second
}

# ask_daemon NAME: in the background, somebody who waits for the daemon, asks it for sessions of
# that name and a few other things, and ends it. Leaves NAME.asked when all was answered.
ask_daemon() {
    (
        # However slow the machine is: an asker that left early would leave the daemon for ever.
        until [ -S "$scratch/runtime/gloved.sock" ]; do
            [ -e "$scratch/config.json" ] && [ ! -e "$scratch/$1.ended" ] || exit
            sleep 0.1
        done
        # Ended in any case; who records it asks whether all was answered.
        ! "$jdk/bin/java" "$scratch/ControlClients.java" "$scratch" "$1" || : >"$scratch/$1.asked"
        # Its lock names nobody: the JVM with this scratch in its command line is it.
        for process in /proc/[0-9]*; do
            grep -qsF -- "$scratch/config.json" "$process/cmdline" &&
                [ "$(readlink "$process/exe")" = "$daemon_java" ] &&
                kill -TERM "${process#/proc/}"
        done
    ) </dev/null >>"$log" 2>&1 &
}
