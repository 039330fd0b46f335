#!/bin/sh
# Collects from a Kubernetes cluster what volpost reads to explain a Multi-Attach incident.
# Printed by "volpost gather". It only reads: kubectl get and kubectl logs, no Secrets, no ConfigMaps, nothing on nodes.
set -u
umask 077

usage() {
	cat >&2 <<'USAGE'
usage: sh gather.sh [-k PROGRAM] [-c CONTEXT] [-p PROMETHEUS [-b HOURS]] DIRECTORY [NAMESPACE...]

  -k PROGRAM   kubectl, oc, or the path of one; the first of them that is installed
  -c CONTEXT   of the kubeconfig, instead of the current one
  -p PROMETHEUS  collect metrics, too, through the API server's proxy of a service: NAMESPACE/SERVICE:PORT,
               such as monitoring/prometheus-operated:9090, or NAMESPACE/https:SERVICE:PORT
  -b HOURS     how far back the metrics reach; 3, and at most 40
  DIRECTORY    is made and must not exist
  NAMESPACE    of the pods whose volume hangs; without any, all namespaces are collected

What the account may not read is named in DIRECTORY/not-collected.txt, and the rest is collected.
USAGE
	exit 2
}

program=
context=
prometheus=
hours=3
while getopts k:c:p:b: option; do
	case $option in
	k) program=$OPTARG ;;
	c) context=$OPTARG ;;
	p) prometheus=$OPTARG ;;
	b) hours=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
case $prometheus in
'') ;;
*[!A-Za-z0-9.:/-]* | */*/* | /* | */ | *:) usage ;;
*/*:*) ;;
*) usage ;;
esac
case $hours in
[1-9] | [123][0-9] | 40) ;;
*) usage ;;
esac
[ $# -ge 1 ] || usage
dir=$1
shift
for word in "$dir" "$@"; do
	case $word in
	'' | -*) usage ;;
	esac
done

if [ -z "$program" ]; then
	for candidate in kubectl oc; do
		if command -v "$candidate" >/dev/null 2>&1; then
			program=$candidate
			break
		fi
	done
fi
if ! command -v "${program:-kubectl}" >/dev/null 2>&1; then
	echo "gather: ${program:-neither kubectl nor oc} is not installed; name one with -k" >&2
	exit 1
fi
if [ -e "$dir" ] || ! mkdir "$dir"; then
	echo "gather: $dir exists already or cannot be made; nothing was collected" >&2
	exit 1
fi

errors=$dir/.errors
trap 'rm -f "$errors"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
lists=0
logs=0
missing=0

kube() {
	"$program" ${context:+"--context=$context"} "$@" </dev/null
}

# The times that the collection lies between.
stamp() {
	date -u '+%Y-%m-%d %H:%M:%S +0000 UTC' >>"$dir/timestamp"
}

# lacks WHAT: says what could not be had, and why, as the last command told.
lacks() {
	missing=$((missing + 1))
	{
		printf '%s\n' "$1"
		[ ! -s "$errors" ] || sed -e 's/^/    /' -e 3q "$errors"
	} | tee -a "$dir/not-collected.txt" >&2
}

# Who changed a field, and when, stands in the managed fields, which kubectl hides from 1.21 on.
managed=
if kube get --help 2>/dev/null | grep -q -e '--show-managed-fields'; then
	managed=--show-managed-fields
fi

# list FILE ARGUMENTS...: one list of objects. A resource that the cluster does not have is not missing.
list() {
	file=$dir/$1
	shift
	mkdir -p "${file%/*}"
	if kube get "$@" -o yaml --request-timeout=2m ${managed:+"$managed"} >"$file" 2>"$errors"; then
		lists=$((lists + 1))
		return 0
	fi
	rm -f "$file"
	grep -q "doesn't have a resource type" "$errors" || lacks "get $*"
	return 1
}

# namespaced GROUP RESOURCE NAME NAMESPACES: in each of the namespaces, or in all when there are none.
namespaced() {
	if [ -z "$4" ]; then
		list "$3.yaml" "$2" --all-namespaces
		return
	fi
	for ns in $4; do
		list "namespaces/$ns/$1/$3.yaml" "$2" -n "$ns"
	done
}

# reached: whether somebody answered the last command. Only a server that answers can refuse anything; without one all that follows would
# fail alike. The words are client-go's and those of the kubeconfig.
reached() {
	! grep -qE -e '[Tt]he connection to the server .* was refused|Unable to connect to the server|: dial tcp |i/o timeout' \
		-e 'context .* does not exist|context was not found|no configuration has been provided|TLS handshake|x509: ' "$errors"
}

stamp

# Asked before the rest, and by itself: what it answers is collected with the others.
if ! kube get namespaces -o name --request-timeout=20s >/dev/null 2>"$errors" && ! reached; then
	echo "gather: ${program} does not reach the cluster${context:+ of the context $context}; nothing was collected:" >&2
	tail -n 1 "$errors" | sed -e 's/^/    /' >&2
	rm -f "$errors" "$dir/timestamp"
	rmdir "$dir"
	exit 1
fi

# Longhorn has VolumeAttachments and Nodes of its own.
for resource in nodes persistentvolumes namespaces volumeattachments.storage.k8s.io csinodes.storage.k8s.io \
	csidrivers.storage.k8s.io storageclasses.storage.k8s.io clusterversions.config.openshift.io \
	volumesnapshotcontents.snapshot.storage.k8s.io; do
	list "${resource%%.*}.yaml" "$resource"
done

# Namespace names have no blanks.
namespaces=$*
for resource in pods persistentvolumeclaims events; do
	namespaced core "$resource" "$resource" "$namespaces"
done
namespaced events.k8s.io events.events.k8s.io events.k8s.io "$namespaces"
for resource in deployments replicasets statefulsets daemonsets; do
	namespaced apps "$resource.apps" "$resource" "$namespaces"
done
namespaced batch jobs.batch jobs "$namespaces"
namespaced snapshot.storage.k8s.io volumesnapshots.snapshot.storage.k8s.io volumesnapshots "$namespaces"
# The kubelets' heartbeats and the controllers' locks are elsewhere.
namespaced coordination.k8s.io leases.coordination.k8s.io leases "${namespaces:+kube-node-lease kube-system}"

# Which containers there are: namespace, pod, container, restarts.
# shellcheck disable=SC2016 # the dollar is the template's
containers='{{range .items}}{{$pod := .metadata}}{{range .status.containerStatuses}}{{$pod.namespace}} {{$pod.name}} {{.name}} {{.restartCount}}{{"\n"}}{{end}}{{end}}'
found=$dir/.containers
trap 'rm -f "$errors" "$found"' EXIT
if ! kube get pods --all-namespaces --request-timeout=2m -o go-template="$containers" >"$found" 2>"$errors"; then
	lacks "get pods --all-namespaces, to find the controllers; looking where they usually are"
	: >"$found"
	for ns in $namespaces kube-system openshift-kube-controller-manager openshift-kube-scheduler openshift-cluster-csi-drivers; do
		kube get pods -n "$ns" --request-timeout=2m -o go-template="$containers" >>"$found" 2>"$errors" ||
			lacks "get pods -n $ns"
	done
fi

# log FILE ARGUMENTS...: a log. What came before an error is kept.
log() {
	file=$dir/$1
	shift
	mkdir -p "${file%/*}"
	if kube logs "$@" --timestamps >"$file" 2>"$errors"; then
		logs=$((logs + 1))
		return
	fi
	[ -s "$file" ] || rm -f "$file"
	lacks "logs $*"
}

controller=
sort -u "$found" >"$found.sorted" && mv "$found.sorted" "$found"
while read -r ns pod container restarts; do
	case $container in
	kube-controller-manager) controller=yes ;;
	kube-scheduler | *attacher*) ;;
	*) continue ;;
	esac
	at=namespaces/$ns/pods/$pod/$container/$container/logs
	log "$at/current.log" -n "$ns" "$pod" -c "$container"
	[ "${restarts:-0}" -eq 0 ] || log "$at/previous.log" -n "$ns" "$pod" -c "$container" --previous
done <"$found"

# What volpost reads of metrics, as queries, and what an URL has for the characters of their matchers.
queries='
kube_node_info
kube_node_status_condition{condition=~"Ready"}
kube_node_spec_taint
kube_lease_renew_time
kube_volumeattachment_info
kube_volumeattachment_created
kube_volumeattachment_spec_source_persistentvolume
kube_volumeattachment_status_attached
kube_persistentvolume_info
kube_persistentvolume_access_mode
kube_persistentvolumeclaim_info
kube_persistentvolumeclaim_access_mode
kube_pod_info
kube_pod_created
kube_pod_deletion_timestamp
kube_pod_status_phase{phase=~"Failed|Succeeded"}
kube_pod_status_ready{condition=~"true"}
kube_pod_status_ready_time
kube_pod_status_scheduled_time
kube_pod_container_status_waiting_reason
kube_pod_spec_volumes_persistentvolumeclaims_info
attachdetach_controller_forced_detaches
attach_detach_controller_attachdetach_controller_forced_detaches
storage_operation_duration_seconds_count{operation_name=~"volume_attach|volume_detach"}
storage_operation_duration_seconds_sum{operation_name=~"volume_attach|volume_detach"}
process_start_time_seconds{job=~".*kube-controller-manager.*"}
kubelet_volume_stats_used_bytes
kubelet_volume_stats_capacity_bytes
kubelet_volume_stats_inodes_used
kubelet_volume_stats_inodes
ALERTS
kube_namespace_created{namespace=~"kube-system"}
'

# metrics: the answers of the server, one file for each query. At 15 s an answer has no more than the 11,000 points that it may have.
metrics() {
	mkdir -p "$dir/metrics"
	to=$(date -u +%s)
	range="start=$((to - hours * 3600))&end=$to&step=15"
	at=/api/v1/namespaces/${prometheus%%/*}/services/${prometheus#*/}/proxy/api/v1/query_range
	set -f
	for query in $queries; do
		file=$dir/metrics/${query%%"{"*}.json
		encoded=$(printf %s "$query" | sed -e 's/{/%7B/; s/}/%7D/; s/"/%22/g; s/|/%7C/g; s/[*]/%2A/g')
		if kube get --raw "$at?query=$encoded&$range" >"$file" 2>"$errors"; then
			answers=$((answers + 1))
			continue
		fi
		rm -f "$file"
		lacks "the metric ${query%%"{"*} from $prometheus"
		[ "$answers" -gt 0 ] || break # it is not reached, or answers nobody
	done
	set +f
	[ "$answers" -gt 0 ] || rmdir "$dir/metrics"
}
answers=0
[ -z "$prometheus" ] || metrics

stamp

: >"$errors"
if [ -z "$controller" ]; then
	lacks "no container of kube-controller-manager: export its log from the cloud's log service (EKS, GKE, AKS), or from the service's journal (k3s, RKE2), and add it to the directory"
fi
cat >>"$dir/not-collected.txt" <<'HINT'
Not asked for, because neither kubectl get nor kubectl logs has it; each adds to what volpost can tell:
    the kubelet's journal of the old and the new node: oc adm node-logs NODE -u kubelet, or on the node: journalctl -u kubelet -o short-iso-precise
    the API server's audit log around the incident: oc adm must-gather -- /usr/bin/gather_audit_logs, or the cloud's log service
HINT

if [ -z "$prometheus" ]; then
	echo '    metrics of kube-state-metrics: -p NAMESPACE/SERVICE:PORT of a Prometheus, or on OpenShift: oc adm must-gather -- /usr/bin/gather_metrics' >>"$dir/not-collected.txt"
fi

echo "gather: $lists lists and $logs logs${prometheus:+ and $answers answers of $prometheus} are in $dir" >&2
[ "$missing" -eq 0 ] || echo "gather: $missing things could not be had; see $dir/not-collected.txt" >&2
if [ -z "$namespaces" ] && [ ! -e "$dir/pods.yaml" ] && grep -q -i forbidden "$dir/not-collected.txt"; then
	echo "gather: the account may not list the pods of all namespaces; name those that matter after the directory" >&2
fi
if [ "$lists" -eq 0 ] && [ "$logs" -eq 0 ]; then
	exit 1
fi
echo "gather: next: volpost analyze $dir" >&2
