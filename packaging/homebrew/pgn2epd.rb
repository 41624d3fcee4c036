# Homebrew formula. `packaging/release recipes` replaces the names between at signs.
class Pgn2epd < Formula
  desc "Turns chess games (PGN) into positions (EPD)"
  homepage "https://github.com/pgn2epd/pgn2epd"
  version "@VERSION@"
  license "GPL-3.0-or-later"

  on_macos do
    on_arm do
      url "https://github.com/pgn2epd/pgn2epd/releases/download/v@VERSION@/pgn2epd-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/pgn2epd/pgn2epd/releases/download/v@VERSION@/pgn2epd-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/pgn2epd/pgn2epd/releases/download/v@VERSION@/pgn2epd-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/pgn2epd/pgn2epd/releases/download/v@VERSION@/pgn2epd-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "pgn2epd"
    man1.install "pgn2epd.1"
    bash_completion.install "completions/pgn2epd.bash" => "pgn2epd"
    fish_completion.install "completions/pgn2epd.fish"
    zsh_completion.install "completions/_pgn2epd"
    doc.install "README.md", "CHANGELOG.md", "LICENCES.md"
  end

  test do
    (testpath/"games.pgn").write "1. e4 e5 1-0\n"
    assert_equal 3, shell_output("#{bin}/pgn2epd --format fen games.pgn").lines.count
    assert_match version.to_s, shell_output("#{bin}/pgn2epd -V")
  end
end
