//! What cargo compiles of a crate, and where the bitcode of it is.

use super::entry::PREFIX;
use super::ordinary;
use super::rustc::{FLAGS, OWN_CRATES, PROJECT_FLAGS, REPLACEMENTS, TEST_FLAGS};
use super::{CommonArguments, FuzzArguments, TestArguments};
use crate::error::Error;
use crate::scratch::Scratch;
use base::{OneLine, Stop};
use engine::Libraries;
use machine::runtime::HEADERS;
use program::toolchain::{AS_WRITTEN, CommandLine, Rustc};
use program::{Archive, CompileOptions};
use serde::Deserialize;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use suite::Recipe;

/// What cargo compiled.
pub(super) struct Built {
    pub targets: Vec<Target>,
    /// What they depend on, and Rust's own library.
    pub libraries: Libraries,
    /// Whether the profile has nothing optimised: such code keeps every promise of a type.
    pub unoptimised: bool,
}

/// Something with tests in it.
pub(super) struct Target {
    pub name: String,
    /// What `cargo test` calls it, and its crate: `unittests src/lib.rs (parser)`.
    pub shown: String,
    pub bitcode: Vec<PathBuf>,
    /// The directory of its package.
    pub directory: PathBuf,
    pub is_fuzz: bool,
}

/// Compiles the tests of a crate or a workspace.
pub(super) fn tests(
    arguments: &TestArguments,
    scratch: &Scratch,
    stop: &Stop,
) -> Result<Built, Error> {
    let mut cargo = CommandLine::new("cargo").args(["test", "--no-run", "--tests"]);
    if let Some(package) = &arguments.package {
        cargo = cargo.args(["--package", package]);
    }
    let options = options(scratch)?;
    let mut build = Build::new(&options, Path::new("."), arguments.proptest, stop)?;
    let mut beside = Vec::new();
    if arguments.proptest {
        cargo = cargo
            .env(REPLACEMENTS, build.rustc.own(""))
            .env(OWN_CRATES, build.own_crates())
            .env(TEST_FLAGS, build.test_flags(stop)?);
        let elements = build.own_crates().join("elements.bc");
        build
            .rustc
            .most_elements(arguments.max_size, &elements, stop)?;
        beside.push(elements);
    }
    let artifacts = build.run(cargo, &arguments.common, stop)?;
    let tests = artifacts.iter().filter(|it| it.profile.test);
    let name = arguments.name.as_deref().unwrap_or_default();
    let targets = tests.filter_map(|artifact| {
        let bitcode = artifact.executable.as_ref()?.with_extension("bc");
        let has_entries = contains(&bitcode, PREFIX) && contains(&bitcode, name);
        let may_be_wanted = has_entries || (arguments.proptest && has_properties(&bitcode, name));
        let files = [bitcode].into_iter().chain(beside.iter().cloned());
        may_be_wanted.then(|| artifact.target(files.collect(), false))
    });
    let targets = targets.collect();
    build.built(targets, &artifacts, stop)
}

/// Whether ordinary tests in a file of bitcode may call properties, and one may have that name.
fn has_properties(bitcode: &Path, name: &str) -> bool {
    let mut marks = ordinary::PROPERTIES.iter();
    marks.any(|mark| contains(bitcode, mark)) && name.split("::").all(|it| contains(bitcode, it))
}

/// Compiles the targets of `fuzz_target!`, with an entry that gives them any bytes.
pub(super) fn fuzz_targets(
    arguments: &FuzzArguments,
    scratch: &Scratch,
    stop: &Stop,
) -> Result<Built, Error> {
    let directory = &arguments.fuzz_dir;
    let manifest = directory.join("Cargo.toml");
    if !manifest.exists() {
        return Err(Error::Usage(format!(
            "{} does not exist: `cargo fuzz init` makes a crate for fuzz targets, and --fuzz-dir \
             says where it is",
            manifest.one_line()
        )));
    }
    let which = match &arguments.name {
        Some(name) => vec!["--bin", name],
        None => vec!["--bins"],
    };
    // Nothing of libFuzzer is needed: its place is taken by an archive without members.
    let archive = scratch.write("libfuzzer.a", "!<arch>\n")?;
    let cargo = CommandLine::new("cargo")
        .args(["build", "--manifest-path"])
        .arg(&manifest)
        .args(which)
        .env("CUSTOM_LIBFUZZER_PATH", archive)
        .env("CUSTOM_LIBFUZZER_STD_CXX", "none");
    let options = options(scratch)?;
    let mut build = Build::new(&options, directory, false, stop)?;
    build
        .flags
        .extend(["--cfg".to_owned(), "fuzzing".to_owned()]);
    let artifacts = build.run(cargo, &arguments.common, stop)?;
    let entry = build.own_crates().join("fuzz.bc");
    build
        .rustc
        .fuzz_entry(arguments.max_len, &build.own_crates(), &entry, stop)?;
    let targets = artifacts.iter().filter_map(|artifact| {
        let bitcode = bitcode_of(artifact.executable.as_ref()?)?;
        let has_target = contains(&bitcode, "rust_fuzzer_test_input");
        has_target.then(|| artifact.target(vec![bitcode, entry.clone()], true))
    });
    let targets = targets.collect();
    build.built(targets, &artifacts, stop)
}

fn options(scratch: &Scratch) -> Result<CompileOptions, Error> {
    Ok(CompileOptions {
        headers: Some(scratch.headers()?),
        ..CompileOptions::default()
    })
}

/// How cargo is run.
struct Build<'o> {
    rustc: Rustc<'o>,
    /// Where everything goes.
    folder: PathBuf,
    /// For every crate of the program.
    flags: Vec<String>,
    /// For those of the project, and not for what it takes from elsewhere.
    project_flags: Vec<String>,
    /// Libraries of ours that programs are linked with.
    own_libraries: Vec<PathBuf>,
}

impl<'o> Build<'o> {
    fn new(
        options: &'o CompileOptions,
        directory: &Path,
        proptest: bool,
        stop: &Stop,
    ) -> Result<Self, Error> {
        // Nothing runs natively, so that what only the machine has may be missing.
        const FLAGS: &str = "--cfg everypath --check-cfg=cfg(everypath) \
             --check-cfg=cfg(kani) -Ccodegen-units=1 -Cembed-bitcode=yes -Clto=off -Cpanic=unwind \
             -Cdebuginfo=2 -Cstrip=none --emit=llvm-bc -Zshare-generics=no \
             -Clink-arg=-Wl,--unresolved-symbols=ignore-all";
        let rustc = Rustc::find(options)?;
        // Another version of the flags, of our crates or of the compiler has a folder of its
        // own, for cargo does not know of them.
        let version = rustc.version()?;
        let sources = HEADERS.iter().map(|(_, text)| *text);
        let replaced = if proptest { "properties" } else { "" };
        let always = [FLAGS, &AS_WRITTEN.join(" "), &version, replaced];
        let key = engine::key(always.into_iter().chain(sources));
        let folder = metadata(directory, stop)?
            .target_directory
            .join("everypath")
            .join(key);
        let own_crates = folder.join("own");
        fs::create_dir_all(&own_crates).map_err(Error::writing(&own_crates))?;
        let kani = rustc.kani(&own_crates, stop)?;
        let mut flags: Vec<String> = FLAGS.split_whitespace().map(str::to_owned).collect();
        flags.extend(["-L".to_owned(), own_crates.to_string_lossy().into_owned()]);
        // Crates that use Kani do not name it as a dependency: its own compiler provides it.
        // Harnesses of crates from elsewhere are nobody's business here.
        let kani = format!("kani={}", kani.to_string_lossy());
        let project_flags = ["--cfg", "kani", "--extern", &kani].map(str::to_owned);
        Ok(Build {
            rustc,
            folder,
            flags,
            project_flags: project_flags.to_vec(),
            own_libraries: ["libeverypath.rlib", "libkani.rlib"]
                .map(|it| own_crates.join(it))
                .to_vec(),
        })
    }

    /// What has tests run by our harness, which runs one of them at a time.
    fn test_flags(&mut self, stop: &Stop) -> Result<String, Error> {
        let harness = self.rustc.test_harness(&self.own_crates(), stop)?;
        let flags = [
            "-Zcrate-attr=feature(custom_test_frameworks)",
            "-Zcrate-attr=test_runner(everypath_tests::run)",
            "--extern",
            &format!("everypath_tests={}", harness.to_string_lossy()),
        ]
        .join("\n");
        self.own_libraries.push(harness);
        Ok(flags)
    }

    /// Where the crates are that come with Everypath.
    fn own_crates(&self) -> PathBuf {
        self.folder.join("own")
    }

    /// Runs cargo; gives what it made.
    fn run(
        &self,
        cargo: CommandLine,
        arguments: &CommonArguments,
        stop: &Stop,
    ) -> Result<Vec<Artifact>, Error> {
        let own = std::env::current_exe().map_err(Error::reading(Path::new("everypath")))?;
        let mut cargo = cargo
            .arg("--message-format=json-render-diagnostics")
            // With a target given, it can be told what is for build scripts and macros.
            .args(["--target", &self.rustc.host(stop)?])
            .arg("--target-dir")
            .arg(&self.folder)
            .env("RUSTC_WRAPPER", own)
            .env(FLAGS, self.flags.join("\n"))
            .env(PROJECT_FLAGS, self.project_flags.join("\n"))
            .env("CARGO_INCREMENTAL", "0");
        if let Some(features) = &arguments.features {
            cargo = cargo.args(["--features", features]);
        }
        if arguments.all_features {
            cargo = cargo.arg("--all-features");
        }
        if arguments.no_default_features {
            cargo = cargo.arg("--no-default-features");
        }
        let said = cargo.heard().output("compile the crate", stop)?;
        let messages = said.lines().map(serde_json::from_str::<Message>);
        let artifacts = messages.filter_map(|message| match message {
            Ok(Message::CompilerArtifact(artifact)) => Some(artifact),
            Ok(Message::Other) | Err(_) => None,
        });
        Ok(artifacts.collect())
    }

    fn built(
        &self,
        targets: Vec<Target>,
        artifacts: &[Artifact],
        stop: &Stop,
    ) -> Result<Built, Error> {
        let is_rlib = |file: &&PathBuf| file.extension().is_some_and(|it| it == "rlib");
        let files = artifacts
            .iter()
            .flat_map(|it| &it.filenames)
            .filter(is_rlib);
        let mut files: Vec<PathBuf> = files.cloned().collect();
        files.extend(self.own_libraries.iter().cloned());
        files.extend(self.rustc.archives(stop)?);
        let mut libraries = Libraries::default();
        for file in &files {
            libraries.archives.push(Archive::by_symbol(file));
        }
        let of_c = crate::libraries::installed(&Recipe::default(), stop)?;
        libraries.archives.extend(of_c.archives);
        Ok(Built {
            targets,
            libraries,
            unoptimised: artifacts.iter().all(|it| it.profile.opt_level == "0"),
        })
    }
}

/// What cargo says of a crate, as far as it matters here.
#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
}

fn metadata(directory: &Path, stop: &Stop) -> Result<Metadata, Error> {
    let said = CommandLine::new("cargo")
        .args([
            "metadata",
            "--no-deps",
            "--format-version=1",
            "--manifest-path",
        ])
        .arg(manifest(directory))
        .output("read the crate's manifest", stop)?;
    serde_json::from_str(&said)
        .map_err(|error| Error::Tool(format!("cargo metadata cannot be understood: {error}")))
}

/// The manifest of a directory, or of the one above it that has one, as cargo looks for it.
fn manifest(directory: &Path) -> PathBuf {
    let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let found = absolute
        .ancestors()
        .map(|it| it.join("Cargo.toml"))
        .find(|it| it.exists());
    found.unwrap_or_else(|| directory.join("Cargo.toml"))
}

/// What cargo says of what it makes, as far as it matters here.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact(Artifact),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: ArtifactTarget,
    profile: Profile,
    filenames: Vec<PathBuf>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
    opt_level: String,
}

impl Artifact {
    fn target(&self, bitcode: Vec<PathBuf>, is_fuzz: bool) -> Target {
        let directory = self.manifest_path.parent().unwrap_or(Path::new("."));
        let source = self.target.src_path.strip_prefix(directory);
        let source = source.unwrap_or(&self.target.src_path).one_line();
        let is_integration = self.target.kind.iter().any(|kind| kind == "test");
        Target {
            name: self.target.name.clone(),
            shown: match is_integration || is_fuzz {
                true => source.to_string(),
                false => format!("unittests {source} ({})", self.target.name),
            },
            bitcode,
            directory: directory.to_owned(),
            is_fuzz,
        }
    }
}

/// Whether a name is in a file of bitcode, or part of one: its table of names says so more
/// quickly than the program that is linked of it.
fn contains(bitcode: &Path, name: &str) -> bool {
    let content = fs::read(bitcode).unwrap_or_default();
    let mut parts = content.windows(name.len().max(1));
    name.is_empty() || parts.any(|part| part == name.as_bytes())
}

/// The bitcode of a program, which is beside the file that cargo gave a shorter name to.
fn bitcode_of(executable: &Path) -> Option<PathBuf> {
    let number = fs::metadata(executable).ok()?.ino();
    let folder = executable.parent()?.join("deps");
    let same = fs::read_dir(folder).ok()?.flatten().find(|entry| {
        let metadata = entry.metadata();
        metadata.is_ok_and(|it| it.ino() == number)
    });
    let bitcode = same?.path().with_extension("bc");
    bitcode.exists().then_some(bitcode)
}
