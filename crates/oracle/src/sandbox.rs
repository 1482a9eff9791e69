//! What code that nobody has read may do: compute, read files, and write to a scratch
//! directory.
//!
//! A process enters the sandbox once and never leaves it. Three mechanisms of Linux hold
//! it there, each for what the others cannot: Landlock for the file system, seccomp for
//! everything that is a system call of its own (the network, new processes, signals to
//! others), limits for what can be used up. A refused system call fails with `EPERM`, as
//! it would for a user without rights, so that the code goes on and says what it thinks
//! of that.

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// What the code in the sandbox may do beyond reading files and computing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sandbox {
    /// Whether it may use the network.
    pub network: bool,
    /// Whether it may start processes and send signals to them.
    pub processes: bool,
    /// Where it may write.
    pub write: Vec<PathBuf>,
}

/// How much of the sandbox this system can enforce.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confinement {
    /// All of it.
    Full,
    /// All but some kinds of writing, which this kernel's Landlock does not know.
    Partial,
    /// All but writing to files, since this kernel has no Landlock.
    FilesOpen,
}

/// The newest Landlock that is asked for; an older kernel enforces what it knows.
const LANDLOCK: ABI = ABI::V6;

/// Address space. Large enough for any library, too small to starve the machine.
const MEMORY: u64 = 16 << 30;
/// Bytes of a file that is written.
const FILE_SIZE: u64 = 1 << 30;
/// Open files.
const FILES: u64 = 256;
/// Seconds of processor time. A call has a limit of its own, which is shorter by far.
const PROCESSOR_TIME: u64 = 24 * 3600;

impl Sandbox {
    /// Confines this process for good. It must have one thread.
    ///
    /// # Errors
    ///
    /// When the system refuses what every Linux of today has; a kernel without Landlock
    /// is no error.
    pub fn enter(&self) -> io::Result<Confinement> {
        limit_resources()?;
        let confinement = self.restrict_files().map_err(io::Error::other)?;
        for filter in self.filters().map_err(io::Error::other)? {
            seccompiler::apply_filter(&filter).map_err(io::Error::other)?;
        }
        Ok(confinement)
    }

    fn restrict_files(&self) -> Result<Confinement, RulesetError> {
        let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(LANDLOCK))?;
        if !self.network {
            ruleset = ruleset
                .handle_access(AccessNet::from_all(LANDLOCK))?
                .scope(Scope::AbstractUnixSocket)?;
        }
        // Processes that it starts are in the same domain, and signals reach them.
        let mut ruleset = ruleset.scope(Scope::Signal)?.create()?;
        let everything = AccessFs::from_all(LANDLOCK);
        let to_device = AccessFs::WriteFile | AccessFs::ReadFile | AccessFs::Truncate;
        let read = [("/".into(), AccessFs::from_read(LANDLOCK))];
        let devices = ["/dev/null", "/dev/zero", "/dev/full"].map(|it| (it.into(), to_device));
        let given = self.write.iter().map(|path| (path.clone(), everything));
        for (path, access) in read.into_iter().chain(devices).chain(given) {
            // What is not there cannot be written to.
            if let Ok(descriptor) = PathFd::new(&path) {
                ruleset = ruleset.add_rule(PathBeneath::new(descriptor, access))?;
            }
        }
        Ok(match ruleset.restrict_self()?.ruleset {
            RulesetStatus::FullyEnforced => Confinement::Full,
            RulesetStatus::PartiallyEnforced => Confinement::Partial,
            RulesetStatus::NotEnforced => Confinement::FilesOpen,
        })
    }

    fn filters(&self) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
        let mut refused: Rules = BTreeMap::new();
        refuse(&mut refused, ALWAYS);
        if !self.network {
            refuse(&mut refused, NETWORK);
        }
        let mut filters = Vec::new();
        if !self.processes {
            refuse(&mut refused, PROCESSES);
            self.refuse_unless_own(&mut refused)?;
            // What its flags are is behind a pointer, where a filter cannot look. A C
            // library that hears that there is no such call makes threads by `clone`.
            let mut absent: Rules = BTreeMap::new();
            refuse(&mut absent, &[libc::SYS_clone3]);
            filters.push(filter(absent, libc::ENOSYS)?);
        }
        filters.push(filter(refused, libc::EPERM)?);
        Ok(filters)
    }

    /// Signals to this process and threads in it are its own business.
    fn refuse_unless_own(&self, rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
        let own = u64::from(std::process::id());
        let to_others = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?;
        for call in [libc::SYS_kill, libc::SYS_tgkill] {
            refuse_if(rules, call, &to_others)?;
        }
        let thread = libc::CLONE_THREAD as u64;
        let is_process = SeccompCmpOp::MaskedEq(thread);
        let is_process = SeccompCondition::new(0, SeccompCmpArgLen::Qword, is_process, 0)?;
        refuse_if(rules, libc::SYS_clone, &is_process)?;
        let is_other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
        refuse_if(rules, libc::SYS_prlimit64, &is_other)
    }
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The second interface of x86-64 has the same calls under other numbers.
const X32: i64 = 0x4000_0000;

fn numbers(call: i64) -> impl Iterator<Item = i64> {
    let x32 = cfg!(target_arch = "x86_64").then_some(call | X32);
    [call].into_iter().chain(x32)
}

fn refuse(rules: &mut Rules, calls: &[i64]) {
    for number in calls.iter().flat_map(|&call| numbers(call)) {
        rules.insert(number, Vec::new());
    }
}

fn refuse_if(
    rules: &mut Rules,
    call: i64,
    condition: &SeccompCondition,
) -> Result<(), seccompiler::BackendError> {
    for number in numbers(call) {
        let rule = SeccompRule::new(vec![condition.clone()])?;
        rules.entry(number).or_default().push(rule);
    }
    Ok(())
}

fn filter(rules: Rules, error: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refused = SeccompAction::Errno(error as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refused, arch)?.try_into()
}

/// What no computation needs: changing the system, looking into other processes, and
/// `io_uring`, which does what it is asked without a system call for each.
const ALWAYS: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_tkill,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_open_by_handle_at,
    // Memory, queues and semaphores that outlive the process and are no files.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Rights and owners of files, which Landlock does not look at.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    FCHMODAT2,
];

/// Newer than the constants of `libc`; one number on every architecture.
const FCHMODAT2: i64 = 452;

const NETWORK: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
];

const PROCESSES: &[i64] = &[
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_setpriority,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

fn limit_resources() -> io::Result<()> {
    for (resource, most) in [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_AS, MEMORY),
        (libc::RLIMIT_FSIZE, FILE_SIZE),
        (libc::RLIMIT_NOFILE, FILES),
        (libc::RLIMIT_CPU, PROCESSOR_TIME),
    ] {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the pointer is to a limit of this function.
        if unsafe { libc::getrlimit(resource, &raw mut limit) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // A limit can be lowered, never raised.
        let most = most.min(limit.rlim_max);
        limit = libc::rlimit {
            rlim_cur: most,
            rlim_max: most,
        };
        // SAFETY: as above.
        if unsafe { libc::setrlimit(resource, &raw const limit) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
