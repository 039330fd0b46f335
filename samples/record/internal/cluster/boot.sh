#!/bin/bash
# boot.sh DIR NAME IP GATEWAY: init of a node, in namespaces of its own. When
# it is killed, every process of the node goes with it: a power cut.
dir=$1 name=$2 ip=$3 gateway=$4

hostname "$name"
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/containerd /run/netns /run/lock
# Each boot has an id of its own; without it no kubelet sees a reboot.
mount --bind "$dir/boot_id" /proc/sys/kernel/random/boot_id
while read -r from to; do
  mount --bind "$dir/$from" "$to"
  mount --make-rshared "$to"
done <<END
kubelet /var/lib/kubelet
containerd /var/lib/containerd
log-pods /var/log/pods
log-containers /var/log/containers
cni /etc/cni
kubernetes /etc/kubernetes
cnilib /var/lib/cni
END

until ip link show eth0 >/dev/null 2>&1; do sleep 0.1; done
ip link set lo up
ip addr add "$ip/24" dev eth0
ip link set eth0 up
ip route add default via "$gateway"
echo 1 >/proc/sys/net/ipv4/ip_forward

containerd -c /etc/kubernetes/containerd.toml >>"$dir/containerd.log" 2>&1 &
until ctr version >/dev/null 2>&1; do sleep 0.2; done
if [ ! -e "$dir/imported" ]; then
  for image in "$dir"/images/*.tar; do
    ctr -n k8s.io images import "$image" >>"$dir/import.log" 2>&1
  done
  touch "$dir/imported"
fi

# The kubelet is started again after it ended, as systemd does, unless
# somebody holds it down.
while :; do
  while [ -e "$dir/hold" ]; do sleep 0.2; done
  "$dir/start-kubelet" >>"$dir/kubelet.log" 2>&1 &
  echo $! >"$dir/kubelet.pid"
  wait $!
  echo "$(date -u +%FT%TZ) kubelet ended with $?"
  sleep 5
done
