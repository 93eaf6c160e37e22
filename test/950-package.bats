#!/usr/bin/env bats
# make install, make uninstall, and the Debian package.

load helper

@test "make uninstall leaves nothing of make install" {
  make -s -C "$ROOT" install DESTDIR="$PWD/dest" PREFIX=/usr/local >/dev/null
  [ -x dest/usr/local/bin/bid-mcp ]
  [ -e dest/usr/local/share/bid/mcp-tools.json ]
  [ -e dest/usr/local/share/bid/pipelines/nightly.jq ]
  make -s -C "$ROOT" uninstall DESTDIR="$PWD/dest" PREFIX=/usr/local >/dev/null
  equal "$(find dest -mindepth 3)" ""
}

@test "what is installed works from where it is: search, nightly, agents, Python" {
  make -s -C "$ROOT" install DESTDIR="$PWD/dest" PREFIX=/usr/local >/dev/null
  PATH=$PWD/dest/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
  unset BID_BIN
  BID_SHARED= upstream_start
  printf 'TWHL\t10-K\n' >watchlist.tsv
  run --separate-stderr env BID_NOW=2026-03-05T00:00:00Z bid-nightly --watchlist watchlist.tsv
  equal "$status" 0
  equal "$(bid-search --json -n 2 "closing of small ports" | wc -l)" 2
  run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}' '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"retrieve\",\"arguments\":{\"query\":\"closing of small ports\"}}}' | bid-mcp"
  contains "$output" '"isError":false'
  PYTHONPATH=$PWD/dest/usr/local/share/bid/python python3 -c 'import bid; assert bid.Store().search("closing of small ports")'
}

@test "the nightly run of a crontab finds the programs beside it, whatever cron's PATH" {
  sh -c "cd '$ROOT' && sh test/tools/install '$PWD/a dest' /opt/bid '$BID_BIN'"
  contains "$(cat "a dest/opt/bid/share/bid/bid-nightly.cron")" " bid /opt/bid/share/bid/nightly "
  run env -i PATH=/usr/bin:/bin HOME="$PWD" BID_HOME="$PWD" "a dest/opt/bid/share/bid/nightly" --version
  equal "$status" 0
  contains "$output" bid-nightly
}

@test "a prefix that units, crontabs or shells would read otherwise is refused, and nothing is installed" {
  local prefix
  for prefix in '/opt/a b' '/opt/50%' '/opt/a#b' '/opt/a&b' "/opt/a'b" '/opt/$(id)' '/opt/a\nb' /a:b; do
    run sh -c 'cd "$1" && sh test/tools/install "$2" "$3" "$4"' - "$ROOT" "$PWD/dest" "$prefix" "$BID_BIN"
    equal "$status" 64
    contains "$output" "PREFIX='$prefix': only letters"
  done
  [ ! -e dest ]
}

# The package, its path in $deb.
package() {
  need dpkg-deb dpkg-shlibdeps
  (cd "$ROOT" && BID_DEB_OUT=$BATS_TEST_TMPDIR BID_DEB_COMPRESS=gzip sh debian/build "$(cat data/VERSION)" >/dev/null)
  deb=$(find . -name '*.deb')
}

@test "the package: stripped, its dependencies, conffiles, vendors' completions, nothing odd for lintian" {
  package
  dpkg-deb -x "$deb" root
  contains "$(dpkg-deb -f "$deb" Depends)" "make"
  contains "$(dpkg-deb -f "$deb" Depends)" "jq"
  contains "$(dpkg-deb -f "$deb" Depends)" "liblmdb0 ("
  equal "$(dpkg-deb -I "$deb" conffiles | tr '\n' ' ')" "/etc/bid/bid.conf /etc/bid/watchlist.tsv "
  [ -e root/usr/share/zsh/vendor-completions/_bid ]
  [ -e root/usr/share/bash-completion/completions/bid-mcp ]
  equal "$(readlink root/usr/share/bid/bid.conf)" /etc/bid/bid.conf
  equal "$(find root/usr/bin -type f -exec sh -c 'readelf -S "$1" 2>/dev/null | grep -q "\.symtab" && echo "$1"' sh {} \;)" ""
  need lintian
  run lintian "$deb"
  equal "$(grep -E '^[EW]:' <<<"$output" || true)" ""
}

@test "the units allow the calls by which the programs hold themselves, which are in no set of Debian 12's systemd" {
  local unit call
  for unit in bid-nightly.service bid-search@.service; do
    for call in @system-service seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self; do
      grep -Eq "^SystemCallFilter=(.* )?$call( |\$)" "$ROOT/pipelines/systemd/$unit"
    done
  done
}
