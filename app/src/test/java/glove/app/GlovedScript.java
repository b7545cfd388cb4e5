package glove.app;

/** What tests of the daemon have in bash. Stateless. */
final class GlovedScript {
    /**
     * A directory {@code d} with a configuration, and {@code start} and {@code stop}; {@code
     * $CONFIG} names it to verbs.
     */
    static final String SETUP = """
            umask 077; mkdir -p d d/runtime d/state d/kept d/bundles d/projects/site; cd d
            echo 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f > key
            cat > exposures.json <<END
            {"schema_version":1,"roots":[{"root_id":"projects","host_root":"$PWD/projects",
            "allowed_modes":[{"access":"read","materialization":"bind","max_bytes":0,
            "cleanup_policy":"retain"}],"max_ttl_secs":7200,
            "allowed_runtime_template_ids":["codex-safe","pi-safe"]}]}
            END
            cat > config.json <<END
            {"schema_version":1,"runtime_directory":"$PWD/runtime","audit_key":"$PWD/key",
            "receipt_journal":"$PWD/state/receipts","path_exposure_policy":"$PWD/exposures.json",
            "path_exposure_journal":"$PWD/state/exposures"}
            END
            CONFIG="--config=$PWD/config.json"
            ended() { kill $daemon; kill -CONT $daemon; wait $daemon; }
            daemon=; trap '[ -z "$daemon" ] || ended 2> end || true' EXIT
            gloved() { "${GLOVE}d" --config "$PWD/config.json"; }
            start() {
                "${GLOVE}d" --config "$PWD/config.json" "$@" 2>> log & daemon=$!
                until grep -q ready log; do
                    kill -0 $daemon || return 1
                    sleep 0.1
                done
            }
            stop() { kill -TERM $daemon && wait $daemon && daemon=; }
            """;

    private GlovedScript() {}
}
