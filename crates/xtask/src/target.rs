//! The systems for which there is a binary.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

/// A system, by the name that Rust has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Linux on x86-64, linked statically
    #[value(name = "x86_64-unknown-linux-musl")]
    LinuxX64,
    /// Linux on ARM64, linked statically
    #[value(name = "aarch64-unknown-linux-musl")]
    LinuxArm64,
    /// Windows on x86-64
    #[value(name = "x86_64-pc-windows-gnu")]
    WindowsX64,
    /// macOS on Intel
    #[value(name = "x86_64-apple-darwin")]
    MacX64,
    /// macOS on Apple silicon
    #[value(name = "aarch64-apple-darwin")]
    MacArm64,
}

impl Target {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::LinuxX64, Self::LinuxArm64, Self::WindowsX64, Self::MacX64, Self::MacArm64];

    /// The name that Rust has for it.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Self::LinuxX64 => "x86_64-unknown-linux-musl",
            Self::LinuxArm64 => "aarch64-unknown-linux-musl",
            Self::WindowsX64 => "x86_64-pc-windows-gnu",
            Self::MacX64 => "x86_64-apple-darwin",
            Self::MacArm64 => "aarch64-apple-darwin",
        }
    }

    /// Features of the program: all formats, and the faster allocator where the one of the system
    /// is slow.
    pub(crate) fn features(self) -> &'static str {
        match self {
            Self::LinuxX64 | Self::LinuxArm64 => "arrow,mimalloc",
            _ => "arrow",
        }
    }

    pub(crate) fn is_windows(self) -> bool {
        self == Self::WindowsX64
    }

    /// Whether the program can be linked on this machine: programs for macOS need the SDK of Apple,
    /// which only a Mac may have.
    pub(crate) fn can_be_linked(self) -> bool {
        let is_mac = matches!(self, Self::MacX64 | Self::MacArm64);
        !is_mac || cfg!(target_os = "macos") || env::var_os("SDKROOT").is_some()
    }

    /// The name of the program's file.
    pub(crate) fn program(self) -> &'static str {
        if self.is_windows() { "pgn2epd.exe" } else { "pgn2epd" }
    }

    /// The name of the archive, and of the folder in it.
    pub(crate) fn folder(self, version: &str) -> String {
        format!("pgn2epd-{version}-{}", self.triple())
    }

    /// The file name of the archive.
    pub(crate) fn archive(self, version: &str) -> String {
        let suffix = if self.is_windows() { "zip" } else { "tar.gz" };
        format!("{}.{suffix}", self.folder(version))
    }

    /// Returns a command that runs `program` on this machine, or the reason why that is not
    /// possible.
    pub(crate) fn command(self, program: &Path) -> Result<Command, &'static str> {
        let is_native = match self {
            Self::LinuxX64 => cfg!(all(target_os = "linux", target_arch = "x86_64")),
            Self::LinuxArm64 => cfg!(all(target_os = "linux", target_arch = "aarch64")),
            Self::WindowsX64 => cfg!(windows),
            Self::MacX64 => cfg!(all(target_os = "macos", target_arch = "x86_64")),
            Self::MacArm64 => cfg!(all(target_os = "macos", target_arch = "aarch64")),
        };
        let emulator = match self {
            _ if is_native => return Ok(Command::new(program)),
            Self::LinuxArm64 => on_path("qemu-aarch64").ok_or("qemu-aarch64 is not installed")?,
            Self::LinuxX64 => on_path("qemu-x86_64").ok_or("qemu-x86_64 is not installed")?,
            Self::WindowsX64 => wine().ok_or("Wine is not installed")?,
            Self::MacX64 | Self::MacArm64 => return Err("this machine does not run macOS"),
        };
        let mut command = Command::new(emulator);
        command.arg(program).env("WINEDEBUG", "-all");
        Ok(command)
    }

    /// Returns the reason why `program` cannot be run on this machine, if there is one.
    pub(crate) fn obstacle(self, program: &Path) -> Option<&'static str> {
        let mut command = match self.command(program) {
            Ok(command) => command,
            Err(reason) => return Some(reason),
        };
        let lacks_library = !cfg!(windows)
            && self.is_windows()
            && command.arg("-V").output().is_ok_and(|run| run.status.code() == Some(DLL_NOT_FOUND));
        lacks_library.then_some("Wine lacks a library; version 9 has bcryptprimitives.dll")
    }
}

/// The status of a program that needs a missing library: what Linux leaves of STATUS_DLL_NOT_FOUND,
/// 0xC0000135.
const DLL_NOT_FOUND: i32 = 0x35;

/// Debian installs the program for 64 bits in a folder that is not searched.
fn wine() -> Option<PathBuf> {
    let elsewhere = PathBuf::from("/usr/lib/wine/wine64");
    on_path("wine64")
        .or_else(|| on_path("wine"))
        .or_else(|| elsewhere.is_file().then_some(elsewhere))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_on_the_command_line_are_those_of_rust() {
        for target in Target::ALL {
            assert_eq!(target.to_possible_value().unwrap().get_name(), target.triple());
        }
        assert_eq!(Target::value_variants(), Target::ALL);
    }
}
