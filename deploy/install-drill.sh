#!/bin/bash
# `install-drill.sh ROOT STEPS PHASE`: runs the steps of docs/operations in a Debian root that has
# the project at /project. `network` fetches, `boot` runs the rest under a systemd of its own.
set -euo pipefail
root=$1 steps=$2 project=$(dirname "$(dirname "$(readlink -f "$0")")")
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive bash -eo pipefail "$@"; }
mount_steps() {
  mkdir -p "$root/steps"
  mount --bind "$steps" "$root/steps"
}
case $3 in
  network)
    mount_steps
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount --bind /dev/pts "$root/dev/pts"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # No service starts by itself in a chroot.
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    in_root -c 'apt-get update -q'
    in_root /steps/install-1.sh
    in_root /steps/recovery-1.sh
    in_root /steps/install-3.sh
    rm "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf"
    # No authority is reachable later: Caddy signs by itself, for the payment provider's name too.
    in_root -c 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=the drill" \
      -keyout /etc/caddy/drill-root.key -out /etc/drill-root.crt && chown caddy /etc/caddy/drill-root.key'
    cat > "$root/etc/caddy/drill-options" <<'END'
{
	local_certs
	skip_install_trust
	pki {
		ca local {
			root {
				cert /etc/drill-root.crt
				key /etc/caddy/drill-root.key
			}
		}
	}
}
api.paystack.co {
	reverse_proxy 127.0.0.1:4010
}
END
    mkdir -p "$root/etc/systemd/system/"{caddy,holo-arena}.service.d
    cat > "$root/etc/systemd/system/caddy.service.d/drill.conf" <<'END'
[Service]
ExecStartPre=+/bin/sh -c 'cat /etc/caddy/drill-options /etc/caddy/Caddyfile > /etc/caddy/drill'
ExecStart=
ExecStart=/usr/bin/caddy run --config /etc/caddy/drill --adapter caddyfile
END
    printf '[Service]\nEnvironment=NODE_EXTRA_CA_CERTS=/etc/drill-root.crt\n' \
      > "$root/etc/systemd/system/holo-arena.service.d/drill.conf"
    echo '127.0.0.1 localhost play.example.ng api.paystack.co' > "$root/etc/hosts"
    cat > "$root/etc/systemd/system/drill.service" <<'END'
[Unit]
Requires=multi-user.target
After=multi-user.target
SuccessAction=exit-force
FailureAction=exit-force
[Service]
Type=oneshot
Environment=HOME=/root
ExecStart=/bin/bash -exo pipefail /steps/drill.sh
ExecStopPost=/bin/sh -c 'journalctl -o short-iso -u holo-arena > /steps/holo-arena.log; journalctl -n 300 > /steps/journal.log'
StandardOutput=append:/steps/printed
StandardError=append:/steps/commands
END
    ;;
  boot)
    # Processes of the host in the same control group would keep systemd from dividing it.
    groups=$(mktemp -d)
    mount -t cgroup2 cgroup2 "$groups"
    group=$groups/holo-drill-$$
    mkdir "$group"
    echo $$ > "$group/cgroup.procs"
    unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child -- bash "$0" "$root" "$steps" init || status=$?
    echo $$ > "$groups/cgroup.procs"
    find "$group" -depth -type d -exec rmdir {} +
    exit ${status:-0} ;;
  init)
    mount --bind "$root" "$root"
    mount_steps
    mkdir -p "$root/project"
    mount --bind -o ro "$project" "$root/project"
    cd "$root"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs tmpfs run
    mount -t tmpfs -o mode=755 tmpfs dev
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    for device in null zero full random urandom tty; do
      touch dev/$device
      mount --bind /dev/$device dev/$device
    done
    mkdir -p outside
    pivot_root . outside
    umount -l /outside
    exec env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init --unit=drill.service ;;
esac
