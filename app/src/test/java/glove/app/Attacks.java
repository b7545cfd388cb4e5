package glove.app;

import glove.testkit.Identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The attacks of app/src/test/native/attacks.c: where each works, and what the sandbox answers. */
final class Attacks {
    /** Where an attack works, so that its failure inside means something. */
    enum Control {
        /** As the same user, outside. */
        USER,
        /** With all capabilities of its own namespaces, as a sandbox without locks would have. */
        NAMESPACES,
        /** As the same user, on a terminal. */
        TERMINAL,
        /** As root; the calls have arguments the kernel refuses once it has checked the right. */
        ROOT;

        List<String> command(Identity identity, List<String> command) {
            return switch (this) {
                case USER, TERMINAL -> identity.command(command);
                case NAMESPACES -> Identity.ORDINARY.command(inNamespaces(command));
                case ROOT -> command;
            };
        }

        /** A shell is process 1, as an init would be. */
        private static List<String> inNamespaces(List<String> command) {
            List<String> words = new ArrayList<>(List.of(
                    "unshare",
                    "-Urmpinu",
                    "--fork",
                    "--mount-proc",
                    "sh",
                    "-c",
                    "\"$@\"; true",
                    "sh"));
            words.addAll(command);
            return words;
        }
    }

    /**
     * @param name of the function in attacks.c
     * @param refusal the errno inside; several, parted by {@code |}, where identities differ
     */
    record Attack(Control control, String name, String refusal) {
        /** Whether it cannot be told here: the kernel outside does not know the thing either. */
        boolean isUnknown(String outside) {
            return ABSENT.contains(outside)
                    || (control == Control.ROOT && outside.equals("ENOENT"))
                    || (RESOURCES.contains(name) && outside.equals(refusal));
        }

        /** Whether its target or its control can only be made by root. */
        boolean needsRoot() {
            return control == Control.ROOT || name.contains("planted");
        }
    }

    private static final Set<String> ABSENT = Set.of(
            "ENOSYS",
            "EAFNOSUPPORT",
            "EPROTONOSUPPORT",
            "ESOCKTNOSUPPORT",
            "EOPNOTSUPP",
            "ENODEV",
            "EIO",
            "ENOSPC");

    /** What takes CAP_SYS_RESOURCE, which the root of a container may lack. */
    private static final Set<String> RESOURCES =
            Set.of("raise_limit", "large_pipe", "forge_command_line", "killed_last");

    static final List<Attack> ALL = parse("""
            USER read_ungranted ENOENT
            USER read_by_link ENOENT
            USER read_by_own_link ENOENT
            USER read_by_dotdot ENOENT
            USER read_by_cwd_dotdot ENOENT
            USER read_by_proc_self_root ENOENT
            USER read_by_proc_self_cwd ENOENT
            USER read_by_parent_descriptor ENOENT
            USER link_ungranted_in ENOENT
            USER write_readonly EROFS
            USER append_readonly EROFS
            USER create_in_readonly EROFS
            USER mkdir_in_readonly EROFS
            USER unlink_in_readonly EROFS
            USER rename_in_readonly EROFS
            USER rename_out_of_readonly EXDEV
            USER link_readonly_out EXDEV
            USER chmod_readonly EROFS
            USER truncate_readonly EROFS
            USER utimes_readonly EROFS
            USER setxattr_readonly EROFS
            USER symlink_in_readonly EROFS
            USER mmap_readonly_shared EROFS
            USER reopen_readonly_by_proc EROFS
            USER write_readonly_inside_writable EROFS
            USER rename_readonly_inside_writable EBUSY
            USER replace_readonly_inside_writable EBUSY
            USER move_parent_of_readonly EBUSY
            USER guard_write EROFS
            USER guard_append EROFS
            USER guard_truncate EROFS
            USER guard_chmod EROFS
            USER guard_utimes EROFS
            USER guard_setxattr EROFS
            USER guard_mmap EROFS
            USER guard_reopen_by_proc EROFS
            USER guard_reopen_by_directory EROFS
            USER guard_rename_over EBUSY
            USER guard_rename_away EBUSY
            USER guard_unlink EBUSY
            USER guard_exchange EBUSY
            USER guard_link_out EXDEV
            USER guard_link_over EBUSY
            USER guard_hook_create EROFS
            USER guard_hook_rename_in EXDEV
            USER guard_hook_link_in EROFS
            USER guard_hook_symlink_in EROFS
            USER guard_hook_tmpfile EROFS
            USER guard_hooks_rename EBUSY
            USER guard_hooks_remove EBUSY
            USER guard_hooks_exchange EBUSY
            USER guard_git_rename EBUSY
            USER guard_git_exchange EBUSY
            USER guard_parent_rename EBUSY
            USER guard_grandparent_rename EBUSY
            USER guard_grandparent_exchange EBUSY
            USER guard_top_rename EBUSY
            USER guard_nested_write EROFS
            USER guard_second_grant EROFS
            USER guard_second_grant_parent EBUSY
            USER guard_worktree_file EROFS
            USER guard_worktree_file_replace EBUSY
            USER guard_submodule_config EROFS
            USER guard_submodule_hook EROFS
            USER guard_submodule_rename EBUSY
            USER guard_commondir EROFS
            USER guard_worktree_settings EROFS
            USER guard_bare_config EROFS
            USER guard_bare_hook EROFS
            USER guard_hooks_path EROFS
            USER guard_envrc EROFS
            USER guard_editor EROFS
            USER guard_editor_rename EBUSY
            USER guard_start_file_link EROFS
            USER guard_start_file_target EROFS
            USER guard_start_file_unlink EBUSY
            USER guard_start_file_replace EBUSY
            USER guard_named EROFS
            USER hidden_read ENOENT
            USER hidden_stat ENOENT
            USER hidden_write ENOENT
            USER hidden_create ENOENT
            USER hidden_read_by_link ENOENT
            USER hidden_read_by_directory ENOENT
            USER hidden_execute ENOENT
            USER hidden_unlink EBUSY
            USER hidden_rename EBUSY
            USER hidden_rename_over EBUSY
            USER hidden_link EXDEV
            USER hidden_directory_read ENOENT
            USER hidden_directory_create EROFS
            USER hidden_directory_rename EBUSY
            USER hidden_parent_rename EBUSY
            USER hidden_in_readonly ENOENT
            USER read_sys ENOENT
            USER read_run ENOENT
            USER descriptors_leak EBADF
            USER name_to_handle EPERM
            USER openat2_out ENOSYS
            USER chmod_setuid EPERM
            USER chmod_setgid EPERM
            USER fchmod_setuid EPERM
            USER fchmodat_setuid EPERM
            USER fchmodat2_setuid EPERM
            USER creat_setuid EPERM
            USER tmpfile_setuid EPERM
            USER mkdir_setgid EPERM
            USER mkfifo_setuid EPERM
            USER open_planted_device EACCES
            USER run_planted_setuid EPERM
            USER new_fsconfig EPERM
            USER new_listmount EPERM
            USER new_statmount EPERM
            USER unshare_user EPERM
            USER clone_user EPERM
            USER clone_user_high_bits EPERM
            USER clone_all EPERM
            USER clone3_user ENOSYS
            USER kill_victim ESRCH
            USER pidfd_open_victim ESRCH
            USER read_victim_proc ENOENT
            USER read_victim_cmdline ENOENT
            USER ptrace_victim EPERM
            USER ptrace_me EPERM
            USER ptrace_child EPERM
            USER vm_read_child EPERM
            USER vm_write_child EPERM
            USER pidfd_getfd_child EPERM
            USER kcmp_child EPERM
            USER process_madvise_child EPERM
            USER process_mrelease_child EPERM
            USER prlimit_child EPERM
            USER core_limit EPERM
            USER init_visible EPERM
            USER keyring_add EPERM
            USER keyring_request EPERM
            USER keyring_read EPERM
            USER userfault EPERM
            USER io_uring ENOSYS
            USER io_uring_enter_ ENOSYS
            USER io_uring_register_ ENOSYS
            USER quota EPERM
            USER quota_fd EPERM
            USER set_clock EPERM
            USER adjust_clock EPERM
            USER adjust_clock_by_id EPERM
            USER fanotify EPERM
            USER no_randomize EPERM
            USER move_pages_ EPERM
            USER migrate_pages_ EPERM
            USER secret_memory EPERM
            USER ldt EPERM
            USER kallsyms EACCES
            USER proc_keys EACCES
            USER proc_interrupts EACCES
            USER proc_cmdline EACCES
            USER proc_partitions EACCES
            USER proc_fs ENOENT
            USER proc_irq ENOENT
            USER inet_connect EPERM
            USER inet_udp EPERM
            USER inet6_socket EPERM
            USER inet_high_bits EPERM
            USER netlink_uevent EPERM
            USER netlink_netfilter EPERM
            USER netlink_audit EPERM
            USER vsock EPERM
            USER alg EPERM
            USER socket_other_families EPERM
            USER socket_other_protocols EPERM
            USER netlink_sock_diag EPERM
            USER netlink_generic EPERM
            USER dns_query EPERM
            USER inet_fast_open EPERM
            USER listen_on_entry EPERM
            USER listen_on_entry_everywhere EPERM
            USER listen_on_entry_both_families EPERM
            USER listen_on_entry_mapped EPERM
            USER unix_host_path ENOENT
            USER unix_abstract ECONNREFUSED
            USER sysv_shm EINVAL
            USER sysv_sem EINVAL
            USER sysv_msg EINVAL
            USER posix_mq ENOENT
            USER posix_shm ENOENT
            USER terminal_linux EPERM
            USER terminal_console EPERM
            USER fill_tmp ENOSPC
            USER fill_home ENOSPC
            USER fill_var_tmp ENOSPC
            NAMESPACES chroot_here EPERM
            ROOT file_capability EPERM
            NAMESPACES setuid_root EINVAL
            NAMESPACES setgid_root EINVAL
            NAMESPACES gain_capability EPERM
            NAMESPACES loosen_securebits EPERM
            NAMESPACES mount_tmpfs EPERM
            NAMESPACES mount_bind EPERM
            NAMESPACES mount_proc EPERM
            NAMESPACES mount_overlay EPERM
            NAMESPACES unmount_masks EPERM
            NAMESPACES unmount_grant EPERM
            NAMESPACES pivot EPERM
            NAMESPACES new_open_tree EPERM
            NAMESPACES new_move_mount EPERM
            NAMESPACES new_fsopen EPERM
            NAMESPACES new_fsmount EPERM
            NAMESPACES new_fspick EPERM
            NAMESPACES new_mount_setattr EPERM
            NAMESPACES unshare_mount EPERM
            NAMESPACES unshare_net EPERM
            NAMESPACES unshare_pid EPERM
            NAMESPACES unshare_ipc EPERM
            NAMESPACES unshare_uts EPERM
            NAMESPACES unshare_cgroup EPERM
            NAMESPACES unshare_time EPERM
            NAMESPACES setns_self EPERM
            NAMESPACES signal_init EPERM
            NAMESPACES kill_init EPERM
            NAMESPACES pidfd_init_signal EPERM
            NAMESPACES init_mem EPERM
            NAMESPACES init_root EPERM
            NAMESPACES init_cwd EPERM
            NAMESPACES init_fd EPERM
            NAMESPACES init_environ EPERM
            NAMESPACES init_maps EPERM
            NAMESPACES init_ns EPERM
            NAMESPACES do_reboot EPERM
            NAMESPACES set_host_name EPERM
            NAMESPACES set_domain_name EPERM
            NAMESPACES sysctl_user_namespaces EACCES
            NAMESPACES raw_socket EPERM
            NAMESPACES packet_socket EPERM
            NAMESPACES netlink_add_link EPERM
            NAMESPACES netlink_lo_down EPERM
            NAMESPACES netlink_add_address EPERM
            NAMESPACES netlink_add_route EPERM
            NAMESPACES netlink_add_interface EPERM
            NAMESPACES ioctl_lo_down EPERM
            NAMESPACES sysctl_net EACCES
            NAMESPACES inet_mark EPERM
            NAMESPACES inet_transparent EPERM
            NAMESPACES inet_repair EPERM
            NAMESPACES stop_init EPERM
            NAMESPACES ptrace_init EPERM
            NAMESPACES vm_write_init EPERM
            NAMESPACES pidfd_getfd_init EPERM
            NAMESPACES kcmp_init EPERM
            NAMESPACES prlimit_init EPERM
            TERMINAL terminal_push EPERM
            TERMINAL terminal_push_high_bits EPERM
            TERMINAL terminal_discipline EPERM
            ROOT read_shadow ENOENT
            ROOT read_root_home ENOENT
            ROOT open_dev_kmsg ENOENT
            ROOT open_dev_fuse ENOENT
            ROOT open_dev_net_tun ENOENT
            ROOT open_dev_console ENOENT
            ROOT open_by_handle EPERM
            ROOT mknod_block EACCES
            ROOT mknod_char EACCES
            ROOT setgroups_none EPERM
            ROOT do_bpf EPERM
            ROOT perf EPERM
            ROOT load_module EPERM
            ROOT load_module_fd EPERM
            ROOT unload_module EPERM
            ROOT kexec EPERM
            ROOT kexec_file EPERM
            ROOT accounting EPERM
            ROOT swap_on EPERM
            ROOT swap_off EPERM
            ROOT set_time_of_day EPERM
            ROOT kernel_log EPERM
            ROOT io_ports EPERM
            ROOT io_ports_range EPERM
            ROOT raise_priority EACCES
            ROOT realtime EPERM
            ROOT sysctl_core_pattern EACCES
            ROOT sysctl_hostname EACCES
            ROOT sysrq ENOENT
            ROOT kcore ENOENT
            USER fchmod_readonly EROFS
            USER futimens_readonly EROFS
            USER chmod_readonly_by_proc EROFS
            USER link_readonly_out_by_descriptor EXDEV
            USER link_tmpfile_into_readonly EROFS
            USER exchange_readonly_out EXDEV
            USER flags_readonly EROFS
            USER flags_readonly_by_path ENOSYS
            USER setxattrat_readonly EROFS
            USER allocate_readonly EROFS
            USER guard_flags EROFS
            USER guard_fchmod EROFS
            USER guard_create_by_dangling_link EROFS
            ROOT file_capability_at EPERM
            USER lease_readonly EPERM
            USER lease_readonly_alone EPERM
            USER lease_guarded EPERM
            USER lease_high_bits EPERM
            USER watch_ungranted ENOENT
            USER stat_ungranted ENOENT
            USER space_of_ungranted ENOENT
            USER execute_ungranted ENOENT
            USER enter_ungranted ENOENT
            USER read_by_thread_self ENOENT
            USER read_by_swapped_links ENOENT
            USER read_by_moved_directory ENOENT
            NAMESPACES setns_by_pidfd EPERM
            NAMESPACES owner_of_mounts EPERM
            NAMESPACES network_of_socket EPERM
            NAMESPACES new_open_tree_attr EPERM
            ROOT fanotify_mark_ EPERM
            USER keyring_persistent EPERM
            USER keyring_join EPERM
            USER run_planted_setuid_by_descriptor EPERM
            USER queue_to_victim ESRCH
            USER tgkill_victim ESRCH
            USER signal_by_descriptor ESRCH
            USER renice_victim ESRCH
            USER session_of_victim ESRCH
            USER affinity_of_victim ESRCH
            NAMESPACES forge_sender EPERM
            NAMESPACES init_task_mem EPERM
            NAMESPACES init_map_files EPERM
            NAMESPACES init_uid_map EPERM
            NAMESPACES init_killed_first EPERM
            NAMESPACES init_renamed EPERM
            NAMESPACES init_robust_list EPERM
            NAMESPACES init_nice EPERM
            NAMESPACES init_user_nice EPERM
            NAMESPACES init_sched_attr EPERM
            NAMESPACES init_scheduler EPERM
            NAMESPACES init_affinity EPERM
            NAMESPACES init_io_priority EPERM
            NAMESPACES init_signal_by_descriptor EPERM
            ROOT deadline_scheduling EPERM
            ROOT io_realtime EPERM
            ROOT raise_limit EPERM
            ROOT lock_memory EPERM
            USER queued_signals EAGAIN
            USER queued_messages EACCES
            ROOT map_null_page EPERM
            ROOT large_pipe EPERM
            ROOT forge_command_line EPERM
            ROOT killed_last EACCES
            ROOT reopen_by_map_files EPERM
            USER watch_pressure ENOENT
            ROOT device_userfault ENOENT
            ROOT device_mapper ENOENT
            USER fork_bomb EAGAIN
            """);

    private Attacks() {}

    private static List<Attack> parse(String table) {
        List<Attack> all = new ArrayList<>();
        for (String line : table.lines().toList()) {
            String[] words = line.split(" ");
            all.add(new Attack(Control.valueOf(words[0]), words[1], words[2]));
        }
        return List.copyOf(all);
    }
}
