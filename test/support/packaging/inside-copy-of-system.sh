#!/bin/sh
# usage: inside-copy-of-system.sh FOLDER SCRIPT    Runs SCRIPT with FOLDER at /packages, as root of a copy of this system that is thrown
# away: the root file system below an overlay, with its own network, processes and mounts.
set -eu
if [ "${INSIDE:-}" = "" ]; then
  exec env INSIDE=yes unshare --mount --net --pid --fork --kill-child "$0" "$@"
fi
over=$1/overlay
mkdir -p "$over"
mount -t tmpfs tmpfs "$over"
mkdir "$over/upper" "$over/work" "$over/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$over/upper,workdir=$over/work" "$over/root"
mkdir -p "$over/root/packages"
mount --bind "$1" "$over/root/packages"
mount -t proc proc "$over/root/proc"
mount --rbind /dev "$over/root/dev"
mount -t tmpfs tmpfs "$over/root/tmp"
mount -t tmpfs tmpfs "$over/root/run"
chmod 1777 "$over/root/tmp"
ip link set lo up
exec chroot "$over/root" /bin/sh -c "$2"
