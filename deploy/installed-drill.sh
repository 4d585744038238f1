#!/bin/bash
# Runs in the Debian that install-drill.sh boots: installs, registers, plays and pays, destroys the
# database with its log meanwhile, restores it, upgrades, goes back, and plays on.
set -exo pipefail
site=https://play.example.ng
node=/srv/holo-arena/current/bin/node
unit=/etc/systemd/system/holo-arena.service.d
export NODE_EXTRA_CA_CERTS=/etc/drill-root.crt
quietly() { { set +x; } 2>/dev/null; "$@"; set -x; }
step() { bash -exo pipefail "/steps/$1.sh"; }
query() { runuser -u postgres -- psql -Atc "$1"; }
answers() {
  for turn in $(seq 600); do
    $node -e "fetch('$site/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && return
    sleep 0.5
  done
  exit 1
}
for name in install-2 install-4 install-5 install-6 recovery-2 recovery-3 recovery-4 recovery-5; do step $name; done
quietly answers
mkfifo /tmp/say && exec 3<>/tmp/say
runuser -u holo -- sh -c "set -a; . /etc/holo-arena.env; NODE_ENV=production exec $node /project/deploy/play-game.ts $site 4010" <&3 > /tmp/played & player=$!
plays() { kill -0 $player || { cat /tmp/played >&2; exit 1; }; }
printed() { until grep -q "$1" /tmp/played; do plays; sleep 0.2; done; }
archived() { query 'select last_archived_wal from pg_stat_archiver'; }
until_archived() { while [[ "$(archived)" < "$1" ]]; do plays; sleep 1; done; }
until_archived_after() { while [ "$(archived)" = "$1" ]; do plays; sleep 0.1; done; }
quietly printed registered
step install-9
echo verified >&3
quietly printed paused
last=$(query 'select pg_walfile_name(pg_current_wal_insert_lsn())')
quietly until_archived "$last"
# The worst instant: shortly before the next segment is archived.
last=$(archived)
quietly until_archived_after "$last"
timeout=$(query "select setting from pg_settings where name = 'archive_timeout'")
sleep $(($timeout - 2))
postmaster=$(head -1 /var/lib/postgresql/17/main/postmaster.pid)
kill -9 $postmaster $(cat /proc/$postmaster/task/$postmaster/children) || true
rm -rf /var/lib/postgresql/17/main/*
echo destroyed >&3
quietly printed stopped
step recovery-6
step recovery-7
quietly answers
echo restored >&3
quietly printed lost
installed=$(holo version)
serves() { quietly answers && [ "$($node -e "fetch('$site/healthz').then(async (r) => console.log(await r.text()))")" = "ok $1" ]; }
serves "$installed"
# The machine crashes while the new version is unpacked.
sed '/^ln/,$d' /steps/upgrade-0.sh > /steps/unpack.sh
timeout --signal=KILL 0.2 bash /steps/unpack.sh || true
systemctl kill --signal=KILL holo-arena
sleep 2
serves "$installed"
# A machine that hides more than the unit does, as some containers and hardened hosts.
printf '[Service]\nProcSubset=pid\nSystemCallFilter=~@resources\n' > $unit/hiding.conf
systemctl daemon-reload
step upgrade-0
[ "$(holo version)" != "$installed" ]
serves "$(holo version)"
step back
serves "$installed"
echo go >&3
wait $player || { cat /tmp/played >&2; exit 1; }
cat /tmp/played
step install-8 || true
