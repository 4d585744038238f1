#!/bin/bash
# `install-drill.sh ROOT STEPS PHASE`: runs the commands of docs/operations in a Debian root, a file
# in STEPS for each step. PHASE `network` fetches, `alone` runs in a network namespace of its own.
set -euo pipefail
root=$1 steps=$2
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mkdir -p "$root/steps"
mount --bind "$steps" "$root/steps"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# No service starts by itself in a chroot; this systemctl runs what units say.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/usr/local/bin"
cat > "$root/usr/local/bin/systemctl" <<'STUB'
#!/bin/bash
set -euo pipefail
unit=${!#}
pidfile=/run/$unit.pid
field() { sed -n "s/^$1=//p" /etc/systemd/system/holo-arena.service; }
case "$unit $*" in
  *daemon-reload*) ;;
  "postgresql@17-main "*) pg_ctlcluster 17 main "$1" || [ "$1" = stop ] ;;
  "holo-arena "*)
    if [ -e $pidfile ]; then kill "$(cat $pidfile)"; while kill -0 "$(cat $pidfile)" 2>/dev/null; do sleep 0.1; done; fi
    rm -f $pidfile
    [ "$1" != stop ] || exit 0
    set -a; . "$(field EnvironmentFile)"; set +a
    cd "$(field WorkingDirectory)"
    # Caddy signs for the payment provider's name too.
    export NODE_EXTRA_CA_CERTS=/etc/drill-root.crt
    setpriv --reuid "$(field User)" --regid "$(field Group)" --clear-groups --no-new-privs --bounding-set=-all \
      $(field ExecStart) > /var/log/holo-arena.log 2>&1 & echo $! > $pidfile ;;
  "caddy "*)
    . <(sed -n 's/^Environment=\(.*\)/export \1/p' /etc/systemd/system/caddy.service.d/holo.conf)
    # No authority is reachable here, so Caddy signs by itself.
    cat - /etc/caddy/Caddyfile > /etc/caddy/drill <<'END'
{
	local_certs
	skip_install_trust
	pki {
		ca local {
			root {
				cert /etc/drill-root.crt
				key /root/drill-root.key
			}
		}
	}
}
api.paystack.co {
	reverse_proxy 127.0.0.1:4010
}
END
    HOME=/root caddy run --adapter caddyfile --config /etc/caddy/drill > /var/log/caddy.log 2>&1 & echo $! > $pidfile ;;
esac
STUB
chmod 755 "$root/usr/local/bin/systemctl"
# A network whose proxy signs for others is trusted as it is outside.
trusted=${NODE_EXTRA_CA_CERTS:+/etc/ssl/outside.pem}
[ -z "$trusted" ] || cp "$NODE_EXTRA_CA_CERTS" "$root$trusted"
in_root() { chroot "$root" /usr/bin/env -i ${trusted:+NODE_EXTRA_CA_CERTS=$trusted} PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive bash -eo pipefail "$@"; }
stop() {
  for file in "$root"/run/*.pid; do [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null || true; done
  in_root -c 'pg_ctlcluster 17 main stop -m fast' || true
}
case $3 in
  network)
    in_root -c 'apt-get update -q'
    in_root /steps/install-1.sh
    in_root /steps/recovery-1.sh
    in_root /steps/install-3.sh
    in_root -c 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=the drill" \
      -keyout /root/drill-root.key -out /etc/drill-root.crt' ;;
  alone)
    trap stop EXIT
    ip link set lo up
    echo '127.0.0.1 localhost play.example.ng api.paystack.co' > "$root/etc/hosts"
    in_root -c 'pg_ctlcluster 17 main start'
    for step in install-2 install-4 install-5 install-6 recovery-2 recovery-3 recovery-4 recovery-5 play; do in_root "/steps/$step.sh"; done ;;
esac
