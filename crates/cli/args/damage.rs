//! The option of all commands that read compressed files.

use pgn2epd::OnDamage;

use super::values::words;

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct DamageArgs {
    /// What to do with a damaged compressed file
    ///
    /// Damage is often detected only by the checksum at the end of a file, so a file with an error is decompressed a second time. Standard
    /// input cannot be read again: everything decoded from it is used.
    #[arg(long, value_name = "WHAT", value_parser = words::<OnDamage>(), default_value = "stop", hide_short_help = true)]
    on_damage: OnDamage,
}

impl DamageArgs {
    pub(crate) fn on_damage(self) -> OnDamage {
        self.on_damage
    }
}
