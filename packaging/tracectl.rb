# The formula for Homebrew; tools/package fills it in.
class Tracectl < Formula
  desc "Say why iOS killed an app, from crash reports, console logs and recordings"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    depends_on arch: :arm64
    depends_on macos: :ventura
    url "@DOWNLOADS@/tracectl-@VERSION@-macos-arm64.tar.gz"
    sha256 "@SUM-macos-arm64@"
  end

  on_linux do
    on_intel do
      url "@DOWNLOADS@/tracectl-@VERSION@-linux-x86_64.tar.gz"
      sha256 "@SUM-linux-x86_64@"
    end
    on_arm do
      url "@DOWNLOADS@/tracectl-@VERSION@-linux-aarch64.tar.gz"
      sha256 "@SUM-linux-aarch64@"
    end
  end

  def install
    bin.install "bin/tracectl"
    bash_completion.install "share/bash-completion/completions/tracectl"
    zsh_completion.install "share/zsh/site-functions/_tracectl"
    fish_completion.install "share/fish/vendor_completions.d/tracectl.fish"
    man1.install "share/man/man1/tracectl.1"
  end

  test do
    assert_match "the app exceeded a watchdog time limit", shell_output("#{bin}/tracectl explain 0x8badf00d")
  end
end
