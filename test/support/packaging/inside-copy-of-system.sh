#!/bin/sh
# usage: inside-copy-of-system.sh FOLDER SYSTEM SCRIPT    Runs SCRIPT with FOLDER at /packages, as root of a copy of SYSTEM, the root folder
# of a system, that is thrown away: SYSTEM below an overlay, with its own network, processes and mounts.
set -eu
if [ "${INSIDE:-}" = "" ]; then
  exec env INSIDE=yes unshare --mount --net --pid --fork --kill-child "$0" "$@"
fi
over=$1/overlay
mkdir -p "$over"
mount -t tmpfs tmpfs "$over"
mkdir "$over/upper" "$over/work" "$over/root"
mount -t overlay overlay -o "lowerdir=$2,upperdir=$over/upper,workdir=$over/work" "$over/root"
mkdir -p "$over/root/packages" "$over/root/proc" "$over/root/dev" "$over/root/tmp" "$over/root/run"
mount --bind "$1" "$over/root/packages"
mount -t proc proc "$over/root/proc"
mount --rbind /dev "$over/root/dev"
mount -t tmpfs tmpfs "$over/root/tmp"
mount -t tmpfs tmpfs "$over/root/run"
chmod 1777 "$over/root/tmp"
ip link set lo up
exec chroot "$over/root" /bin/sh -c "$3"
