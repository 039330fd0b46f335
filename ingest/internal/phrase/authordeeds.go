package phrase

import (
	"regexp"
	"strings"
	"sync"

	"github.com/volpost/volpost/model"
)

// deeds are what authors tell that people did by hand to a volume or its pod, and what became of it, beside what else a sentence tells. What a
// control loop of Kubernetes did is none.
var deeds = []said{
	{model.SaidForced, re(`\bforc(?:e|ed|efully|ibly)[ -](?:deleted|killed|removed) ` + aPod)},
	{model.SaidForced, re(`\b` + aPod + `(?: \S+){0,3}? (?:was|were|got|has been|have been) (?:force|forcefully|forcibly)[ -](?:deleted|killed|removed)\b`)},
	{model.SaidForced, re(`\b(?:deleted|killed|removed|deleting|gelöscht) (?:\S+ ){0,6}?(?:by force|forcefully|forcibly|with (?:--)?force|` +
		`(?:with |using )?--force|--grace-period=?0)|\b(?:mit|per) (?:--)?(?:force|gewalt) gelöscht\b`)},
	{model.SaidForced, re("\\b(?:ran|run|did|used|executed|typed|tried|after|with)[ `:]+(?:\\S+ )?kubectl (?:-n \\S+ )?delete po(?:ds?)?[ /][^.]{0,80}?--force\\b")},
	{model.SaidForced, re(`\bforce[- ]delete ` + aPod + `, (?:and |then )?(?:(?:the|new|its) )*(?:volume|pvc|disk|pod|replacement|it) (?:\S+ ){0,2}?(?:stuck|stays?|hangs|fails)\b`)},
	{model.SaidReverted, re(`\b(?:argo ?-?(?:cd)?|flux(?:cd)?|git-?ops|self-?heal(?:ing)?)\b(?: \S+){0,6}? (?:reverted|reverts|undid|undoes|restored|restores|` +
		`(?:puts?|sets?|scaled|scales|synced|syncs|brought|changed)(?: \S+){0,5}? (?:back|up again|again))\b`)},
	{model.SaidUnheld, re(`\b(?:removed|deleted|cleared|dropped|stripped|emptied|patched|edited|after removing|by removing|by deleting) (?:\S+ ){0,4}?finalizers?\b|` +
		`\bfinalizers?\b(?: \S+){0,6}? (?:(?:was|were|got|has been|have been) (?:\w+ly )?(?:removed|deleted|cleared|patched)|entfernt|gelöscht|rausgenommen)\b`)},
	{model.SaidDetached, re(`\b(?:manually |force[- ]?)detached (?:\S+ ){0,4}?` + aDisk + `|\bdetached (?:\S+ ){0,4}?` + aDisk +
		`(?: \S+){0,8}? (?:by hand|manually|by force|(?:in|from|via|through|with|using) (?:the )?(?:aws|ec2|azure|gcp|gcloud|openstack|cinder|vcenter|vsphere|console|portal|cli)\b)`)},
	{model.SaidUnattached, re(`\b(?:delet(?:ed|ing)|remov(?:ed|ing)|workaround (?:is|was)(?: to)? delete) (?:\S+ ){0,4}?\W?volume ?attachments?\b`)},
}

const (
	aPod  = "(?:(?:the|that|our|my|this|his|her|old|stuck|terminating|first|stale|new) )*(?:pods?\\b|[`\"'“]?[a-z0-9.-]+-[a-z0-9]+\\b)"
	aDisk = `(?:volumes?|disks?|vol-[0-9a-f]+|pds?)\b`
)

// byItself is a control loop before what it did, and what only may be done before a deed.
var byItself = re(`\b(?:gc|controllers?|kubelet|kubernetes|k8s|scheduler|operator|karpenter|autoscaler)(?: \S+)? ?$|\b(?:want|wanted|plan|going|need|have|try|tried) to (?:\S+ )?$`)

// podNamed is the pod that a sentence names behind the word for one.
var podNamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)\\bpods? [`\"'“]*([a-z0-9][a-z0-9.-]*-[a-z0-9.-]*[a-z0-9])\\b")
})

// deedOf is what a sentence tells that somebody did by hand, in which words, and to which pod; "" for none.
func deedOf(sentence string) (what, text string, pod model.Ref) {
	for _, d := range deeds {
		at := d.text().FindStringIndex(sentence)
		if at == nil || suspected(sentence, at) {
			continue
		}
		if english.spoiled().MatchString(sentence) || english.denies(sentence, at, d.what) || byItself().MatchString(sentence[:at[0]]) {
			return "", "", pod
		}
		text = sentence
		if mark := strings.LastIndexAny(sentence[:at[0]], clauseMarks); mark > 60 { // of a sentence that long before the deed, its clause alone is told
			text = strings.TrimLeft(sentence[mark:], clauseMarks+" ")
		}
		if m := podNamed().FindStringSubmatch(sentence); m != nil {
			pod = model.PodRef("", m[1], "")
		}
		return d.what, text, pod
	}
	return "", "", pod
}
