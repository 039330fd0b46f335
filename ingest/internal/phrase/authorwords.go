package phrase

import "github.com/volpost/volpost/model"

const (
	aMachine = `(?:nodes?|servers?|vms?|machines?|hosts?|instances?|workers?|hypervisor|k8s node|ec2)`
	// det is what stands between a verb and the machine that it is about.
	det = `(?:the |a |an |one |our |my |that |this |its |their |both |old |worker |master |same |whole |first |second |third |underlying |` +
		`virtual |physical |cluster |kubernetes |of |on |down |shutdown |failed |dead )*`
	// named is the name of a machine behind the word for it.
	named = "(?: [`\"'“(*]*(?:[a-z0-9.-]*[0-9][a-z0-9.-]*|[a-z]\\b)[`\"'”)*]*)?"
	// machineNamed is a machine by its name alone.
	machineNamed = "[`\"'“*]*[a-z0-9.-]*(?:node|worker|master|server|host|k8s|vm|ip-)[a-z0-9.-]*[0-9][a-z0-9.-]*"
	theMachine   = `(?:` + aMachine + named + `|` + machineNamed + `)`
	manyOf       = `\b(?:two|three|four|five|both|several|multiple|many|different|[2-9])(?: of (?:the|our|my)| the| different| separate|` +
		` other| my| our)* ` +
		"(?:[`]?[a-z-]+[`]? )?(?:deployments?|statefulsets?|pods?|workloads?|services?|apps?|applications?|cronjobs?|jobs?|replicas?|releases?|daemonsets?)"
	oneClaim = "(?:[`]?[a-z-]+[`]? ){0,3}(?:pvcs?|claims?|persistentvolumeclaims?|volumes?|pvs?|disks?)\\b"
)

// repairing is what people do to end a wait.
const repairing = `(?:restarting|rebooting|deleting|removing|draining|scaling|rolling|detaching|unmounting|killing|recreating|powering|force-?deleting|tainting|downgrading)`

const (
	timeOfDay = `\d{1,2}:\d\d\b`
	aWhile    = `~?(?:\S+ )?\d+ ?(?:m|s|h|min|sec)\w*`
)

var english = language{name: "English",
	spoiled: re(`\?\s*$|\b(?:if|unless|whether|in case|should|would|could|might|must|suppose|imagine|expected|e\.g\.|for example|for instance|` +
		`typically|usually|normally|generally|often|sometimes happens|can be|can happen|may be|may happen|will be|how to|to avoid|to prevent|` +
		`in order to|make sure|ensure)\b|\b(?:when|whenever|once|until|before) (?:you|a|an|any|the|your|one)?\s*(?:node|kubelet|pod|vm|` +
		`instance|server|host|machine)?s? ?(?:is|are|goes|gets|becomes|crashes|fails|shuts|stops|dies|drain|delete|remove|power|reboot|` +
		`restart)\b`),
	intended: re(`\b(?:want|wants|wanted|plan|plans|going|need|needs) to\b`),
	denied: re(`\b(?:not|never|no|nor|without|neither|instead of|rather than|didn['’]t|wasn['’]t|haven['’]t|hasn['’]t|isn['’]t|weren['’]t|` +
		`don['’]t|aren['’]t|can['’]?t|cannot|nobody)\b(?: [a-z'’]+){0,2} ?$|\b(?:not|never|no)\b.*\x00`),
	rows: []said{
		{model.SaidNodeReclaimed, re(`\b(?:spot|preemptible|low-?priority)\b(?:[ -](?:vms?|instances?|nodes?|machines?))?(?: \S+){0,4} ` +
			`(?:interruptions?|interrupted|reclaim\w*|preempt\w*|terminat\w+|evict\w+|taken (?:away|back)|rebalanc\w+)`)},
		{model.SaidNodeReclaimed, re(`\b(?:node|instance|vm|machine)` + named + ` (?:was|were|got|has been|had been) (?:preempted|reclaimed)`)},
		{model.SaidNodeReclaimed, re(`\bafter (?:a|the|an)?\s*(?:aws |gcp |ec2 |azure )?(?:spot )?(?:preemption|interruption notice)`)},
		{model.SaidNodeReclaimed, re(`\b(?:terminated|reclaimed|took back|stopped|removed|interrupted) (?:\S+ ){0,8}?spot\b|` +
			`\bpreempted (?:the |our |a |my )?(?:node|vm|instance)`)},
		{model.SaidMachineRuns, re(`\b(?:can|could|able to)(?: still)? (?:ssh|ping|log ?in|reach it|connect)\b|\b` + aMachine + named +
			`(?: itself)? (?:is|was) (?:still|actually|in fact) (?:powered on|running|up|alive|reachable|pingable|online|accessible)\b`)},
		{model.SaidMachineRuns, re(`\bstill (?:reach(?:es)?|writes?|writing|running (?:there|on (?:it|that|the (?:old|same)))|has access to)\b|` +
			`\b(?:process(?:es)?|containers?|pods?|database)(?: \S+)? (?:is|are) (?:still )?running (?:there|on (?:it|that))\b|` +
			`\bnetwork (?:partition|split)|\b(?:partitioned|cut off) from (?:the )?(?:api|control|network|cluster|master)`)},
		{model.SaidOver, re(`\b(?:it|everything|(?:the |my |our )?(?:new )?(?:pods?|containers?|database|app|service)|[a-z0-9-]+-\d+)(?: \S+)?(?: on \S+)? (?:finally |eventually |now |just )*` +
			`(?:(?:came|come) (?:back )?up(?:$|[.,;!)]| (?:now|again|after|in|on|by itself)\b| (?:about |some |a )?(?:~?\d+\S*|an?|few|two)(?: (?:s|secs?|seconds?|min|mins|minutes?|hours?))? later\b)|(?:is|are|was) (?:up|running|back|healthy|ready) (?:again|now)\b|` +
			`(?:is|are) (?:now|finally) (?:up|running|ready|healthy|back)\b)|` +
			`(?:^\W*|\b(?:is|was|are|were|came) (?:\S+ )?)(?:back|up again|running again)(?: up| online| to normal)? (?:at|since|as of) (?:\S+ )?` + timeOfDay + `|` +
			`\b(?:recovered|resolved) (?:at|since|as of) (?:\S+ )?` + timeOfDay +
			`|^\W*(?:\d{1,2}:\d\d\W+)?(?:[a-z]+: )?(?:it['’]s |all )?(?:back up and |up and )?running again(?: now)?\W*$`)}, // who wrote it is no machine
		{model.SaidOver, re(`\b(?:` + aMachine + ` )?[a-z][a-z0-9.-]*(?: on \S+)? (?:now |finally )?(?:(?:is|are|was) (?:back )?(?:up|running|online|healthy|ready) again|came back up)\b`)},
		{model.SaidOver, re(`\b(?:fixed|solved|resolved|cured|managed to (?:fix|solve|resolve))(?: \S+){0,3}? (?:by|with|after) (?:manually )?` + repairing + `|\b` + repairing + `\b.{0,80}? (?:fixed|solved|resolved|cured|unblocked) (?:it|this|that|the)\b|` +
			`\b(?:resolved|fixed|healed|solved|sorted)(?: \S+)? (?:itself|on its own)\b|\b(?:issue|problem|error) (?:is|was|has|then|just)?(?: \S+)? ?(?:went away|disappeared|gone|resolved|solved|fixed)\b|` +
			`\b(?:it|volume|disk|pvc)(?: \S+){0,2} (?:re-?)?attached(?: \S+){0,2}? (?:by itself|on its own|automatically|eventually)|` +
			`\b(?:eventually|finally),? (?:\S+ )?(?:it|volume|disk|pvc) (?:gets|got|is|was) (?:re-?)?(?:attached|moved|mounted)\b|` +
			`\bpods? started (?:successfully|normally|again|fine) (?:with)?in ` + aWhile + `|\bafter ` + aWhile + `,? (?:(?:the |my |our |new )*pods? (?:is|was|are|were) (?:up|running|ready)\b|(?:\S+ ){0,3}?(?:re-?)?attached\b)`)},
		{model.SaidMachineRuns, re(`\b(?:ssh|ping|icmp)(?: (?:and|or) (?:ssh|ping))?(?: to (?:it|that|the \S+))? (?:still |does |do )*(?:works?|working|is fine|are fine|answers?)\b|` +
			`\b(?:answers|responds|replies|answering|responding) to (?:ssh|pings?)(?:$|[.,;!)]| [^a]| a[^g])|` + // again: it had not
			`\bpleg was last seen active\b`)},
		{model.SaidResolved, re(`^\W*(?:subject: )?\W*(?:\[resolved(?::\d+)?\]|resolved: |(?:alert )?(?:status|state): \W*resolved\b)`)},
		{model.SaidResolved, re(`\b(?:stuck|down|blocked|unavailable|hung|waiting|waited) (?:from|between) (?:\S+ )?` + timeOfDay +
			`(?: \S+)? (?:until|till?|to|and|-|–) ?(?:\S+ )?` + timeOfDay)},
		{model.SaidFiring, re(`^\W*(?:subject: )?\W*(?:\[firing(?::\d+)?\]|firing: |(?:alert )?(?:status|state): \W*firing\b)`)},
		{model.SaidKubeletStopped, re(`\b(?:stopped|killed|masked|disabled|stopping|killing) (?:(?:the|only|just) )*kubelet|systemctl stop kubelet|` +
			`\b(?:i|we|they)(?:['’]m)? (?:stop|kill) (?:(?:the|only|just) )*kubelet`)},
		{model.SaidKubeletStopped, re(`\bkubelet(?: \S+){0,4} (?:was|is|has been|had been|had|got|has) (?:stopped|killed|dead|down|hung|` +
			`in a crash ?loop|crash ?looping|crashed|unresponsive|failed|oom[ -]*killed)`)},
		{model.SaidKubeletStopped, re(`\bkubelet(?: \S+){0,3} (?:crashed|died|hung|stopped (?:working|responding|posting))`)},
		{model.SaidNodeOff, re(`\b(?:powered|turned|switched) (?:off|down) ` + det + theMachine)},
		{model.SaidNodeOff, re(`\b(?:powered|turned|switched) ` + det + theMachine + ` (?:off|down)\b`)},
		{model.SaidNodeOff, re(`\b(?:i|we|they|he|she|someone|somebody|admins?|ops|customer|user)(?: \w+){0,2} (?:shut ?down|stopped|halted|` +
			`unplugged|rebooted|crashed|reset|killed|powered down) ` + det + theMachine)},
		{model.SaidNodeOff, re(`\b` + aMachine + named + `(?: \([^)]*\)| \S+)? (?:was|were|got|has been|had been|is|are|being) (?:\w+ly |` +
			`just |now |then |already |also |still )*(?:powered (?:off|down)|turned off|switched off|shut ?(?:down|off)|down|dead|offline|` +
			`unreachable|stopped|crashed|hung|frozen|lost|notready|not ready|unresponsive|rebooted|halted|unplugged)\b`)},
		{model.SaidNodeOff, re(machineNamed + "[`\"'”*]* (?:was|got|has been|is) (?:\\w+ly |just |now )*(?:powered (?:off|down)|turned off|" +
			`switched off|shut ?down|down|offline|unreachable|crashed|notready|not ready)\b`)},
		{model.SaidNodeOff, re(`\b(?:` + aMachine + named + `|` + machineNamed + "[`\"'”*]*" + `)(?: \([^)]*\))? (?:suddenly |just |then |` +
			`also |had |has )*(?:went|gone|goes) (?:down|offline|dark|notready|not ready|away)\b`)},
		{model.SaidNodeOff, re(`\b(?:` + aMachine + named + `|` +
			machineNamed + "[`\"'”*]*" + `)(?: \([^)]*\))? (?:suddenly |just |then |has |had )*(?:crashed|` +
			`died|failed(?:$|[.,;)]| (?:and|last|again|at|on|during|over|yesterday|today|because|due|this|unexpectedly)\b)|froze|panicked|` +
			`lost power|powered off|shut down|disappeared|became (?:unreachable|notready|not ready|unresponsive))\b`)},
		{model.SaidNodeOff, re(`\b(?:after|following|due to|because of|caused by|upon|on) (?:\w+ ){0,3}?(?:node|server|host|machine|vm|worker|` +
			`instance)(?:'s)?[ -](?:\S+ )?(?:shut ?downs?|crash(?:es)?|failures?|outages?|power-? ?(?:off|loss|outage)|power ?off|loss|` +
			`poweroff)\b`)},
		{model.SaidNodeOff, re(`\b(?:hard|unclean|ungraceful|abrupt|forced|forceful|non-graceful) (?:shut ?down|power-?off|reboot|` +
			`reset) of ` + det + aMachine)},
		{model.SaidNodeOff, re(`\b` + aMachine + named + ` (?:suddenly |just |then )*stopped(?:$|[.,;)]| (?:and|working|responding|suddenly|` +
			`unexpectedly)\b)`)},
		{model.SaidNodeOff, re(`\b(?:do|did|doing|made|performed) an? (?:\w+ )?(?:shut ?down|power[ -]?off|reboot|reset) (?:on|of) ` + det + theMachine)},
		{model.SaidNodeOff, re(`\b(?:by|after|while) (?:hard |forcefully |abruptly |simply )?(?:shutting down|powering (?:off|down)|stopping|` +
			`turning off|killing|rebooting|crashing|unplugging) ` + det + theMachine)},
		{model.SaidNodeOff, re(`\b(?:simulated|had) an? (?:\w+ )?(?:node|host|server) (?:failure|crash|outage)|\bpulled the (?:power|plug|` +
			`network)|\bhad to (?:hard )?(?:reboot|reset|power off) ` + det + theMachine)},
		{model.SaidNodeOff, re(`\b` + theMachine + `(?: \([^)]*\))? (?:\w+ly )?(?:rebooted|restarted|` +
			`lost (?:its |the |all )?(?:network|power|connection|connectivity))\b`)},
		{model.SaidNodeOff, re(`\b(?:we|i|they)(?: have| had|['’]ve)? (?:just )?lost ` + det + `(?:` + aMachine + named + `|` + machineNamed + `|[a-z]+-[0-9]+\b)`)},
		{model.SaidNodeOff, re(`\b(?:power outage|power loss|power failure|kernel panic|hardware failure)\b`)},
		{model.SaidNodeRemoved, re(`\b(?:deleted|removed|terminated|destroyed|deprovisioned|replaced|recycled|scaled (?:down|in)) ` + det +
			`(?:` + aMachine + named + `|node ?pools?|node ?groups?|` + machineNamed + `)`)},
		{model.SaidNodeRemoved, re(`\b` + aMachine + named + ` (?:was|were|got|has been|had been|is) (?:\w+ly |then |just )*(?:deleted|` +
			`removed|terminated|destroyed|deprovisioned|replaced|recycled|scaled (?:down|in)|gone)\b`)},
		{model.SaidNodeRemoved, re(`\b` + aMachine + `\b[^.;:]{0,120}, (?:was|were|got|has been|had been) (?:deleted|removed|terminated|destroyed)\b|` +
			`\b(?:resized|recreated|rotated|recycled) ` + det + `node ?pools?`)},
		{model.SaidNodeRemoved, re(`\b(?:cluster[- ]?autoscaler|karpenter)(?: \w+){0,2} (?:removed|deleted|terminated|scaled down|` +
			`consolidated|replaced)`)},
		{model.SaidNodeRemoved, re(`\bafter (?:deleting|removing|terminating|destroying|replacing) ` + det + `(?:` + aMachine + `|` +
			machineNamed + `)`)},
		{model.SaidStorageDiffers, re(`\b(?:k8s|kubernetes|kubectl|volumeattachment)\b(?: \S+){0,6}? (?:thinks|says|believes|shows|reports|` +
			`still has|has)\b(?: \S+){0,12}? (?:attached|in use)\b(?:,? \S+){0,14}?,? (?:but|while|whereas|although|` +
			`though) (?:\S+ ){0,10}?(?:it['’]s not|is not|isn['’]t|not attached|available|detached|unattached|free)\b`)},
		{model.SaidStorageDiffers, re(`\b(?:aws|ec2|openstack|cinder|nova|azure|gcp|gce|cloud|console|array|storage|backend|back end|vcenter|` +
			`vsphere)\b(?: \S+){0,6}? (?:thinks|says|shows|reports)\b(?: \S+){0,8}? (?:available|detached|not attached|` +
			`unattached)\b(?:,? \S+){0,8}?,? (?:but|while|whereas|although|though)(?: \S+){0,6}? (?:k8s|kubernetes|kubectl|volumeattachment)`)},
		{model.SaidShared, re(manyOf + `(?: [^.]{0,60}?)? (?:share|shares|shared|sharing|mount|mounts|mounted|mounting|use|uses|used|using|` +
			`reference|references|claim) (?:the |a |one |this |that )*(?:same|one|single|common|shared)? ?` + oneClaim)},
		{model.SaidShared, re(`\b(?:both|all)(?: \S+){1,8}? (?:share|mount|use|reference|claim) (?:the )?\W*same\W* ` + oneClaim)},
		{model.SaidShared, re(`\b(?:pvc|claim|volume) (?:is|was) (?:shared|mounted|used) by (?:two|both|several|multiple|three|many|different|` +
			`[2-9]) (?:\S+ )?(?:deployments|statefulsets|pods|workloads|apps|applications|services|cronjobs|jobs)`)},
		{model.SaidStorageDiffers, re(`\b(?:still|is) (?:attached|mapped) to (?:the |an? )?(?:old|other|previous|wrong) (?:vm|node|instance|` +
			`server|host)\b(?: \S+){0,4}? (?:in|on|at|according to) (?:the )?(?:vcenter|vsphere|aws|azure|openstack|ec2|gcp|cloud|console|` +
			`portal|array|storage|backend)`)},
		{model.SaidShared, re(`\b(?:pvc|claim|volume) (?:is|was) (?:shared|used|mounted) (?:by|between|across|among) (?:the )?(?:two|both|` +
			`several|multiple|three|2|3)\b`)},
		{model.SaidShared, re(`\b(?:cronjob|job|pod|deployment|statefulset|app)s? and (?:the |a |an |another |its )?(?:\S+ ){1,4}?(?:share|` +
			`mount|use|claim)s? (?:the )?\W*same\W* ` + oneClaim)},
		{model.SaidShared, re(`\b(?:us|mount|attach)(?:e[ds]?|ing|ed|s)? (?:the )?same ` + oneClaim + ` (?:on|in|by|from|with|to|across|between) (?:the )?` +
			`(?:two|both|several|multiple|different|many|[2-9]) (?:\S+ )?(?:deployments|statefulsets|pods|workloads|apps|applications|services|` +
			`cronjobs|jobs|nodes)`)},
		{model.SaidShared, re(`\bscaled (?:\S+ ){1,5}?to (?:[2-9]|two|three) replicas`)},
		{model.SaidRollout, re(`\b(?:updated|upgraded|updating|upgrading|redeployed|redeploying) (?:the |my |our |a |` +
			`its )?(?:\S+ ){0,4}?(?:deployment|chart|helm release|release|image)\b`)},
		{model.SaidRollout, re(`\b(?:changed|bumped|edited|patched) (?:the |my |our |a |its )?(?:\S+ ){0,3}?(?:image|tag|pod template|env(?:ironment)?(?: variables?)?)\b`)},
		{model.SaidRollout, re(`\b(?:rolling[ -]?update|rollingupdate|rollout restart|rolling restart|rolling upgrade)\b`)},
		{model.SaidRollout, re(`\bfrom rolling(?:[ -]?update)? to recreate\b|\brecreate\W+(?:\S+ )?strategy\b|\bstrategy\W+(?:\S+ ){0,3}?recreate\b|` +
			`\bon (?:an?|every|each) (?:\S+ )?(?:update|upgrade|redeploy\w*|rollout)\b|\b(?:tried|try|trying) to upgrade (?:it|the|our|my)\b`)},
		{model.SaidRollout, re(`\b(?:helm|chart) upgrade\b|\bduring (?:a |the |an )?(?:upgrade|deploy|deployment|rollout|redeploy)\b|` +
			`\bafter (?:a |the |an |every )?` +
			`(?:helm |chart |application |app |rolling )?(?:rollout|redeploy(?:ment|ing)?|new deploy(?:ment)?)\b`)},
		{model.SaidNodeDrained, re(`\b(?:drained|cordoned and drained|draining) ` + det + theMachine + `|` +
			`\b` + aMachine + named + ` (?:was|were|got|has been) (?:cordoned and )?drained|` +
			`\b(?:after|following|during) (?:a |the |we |i |they )?(?:node )?(?:drain|drained|draining)\b|\ba drain evicts\b|\b(?:ran|executed|` +
			`did|running|after) (?:\S+ ){0,2}?kubectl drain|\bkubectl drain \S+ (?:\S+ ){0,4}?was (?:run|executed)`)},
		{model.SaidAttachmentLeft, re(`\b(?:stale|old|orphaned|dangling|left-?over|previous)\W+(?:\S+ )?volume ?attachments?\b|` +
			`\bvolume ?attachments?\b(?: \S+)? (?:remains?|remained|stays?|stayed|(?:is|are|was|were) (?:still|left))\b`)},
		{model.SaidMultiAttach, re(`\b(?:fail(?:s|ed|ing)?|stuck|hang(?:s|ing)?|hung|waits?|waiting|got|get(?:s|ting)?|see|seeing|saw|` +
			`hits?|hitting|error(?:s|ed|ing)?)\b[^.]{0,60}\b(?:multi-?attach|failedattachvolume)\b|` +
			`\b(?:multi-?attach|failedattachvolume)\b.{0,120}(?:\bpod(?:s|\(s\))? [` + "`" + `"'“]?[a-z0-9]+-|\bpvc-[0-9a-f]{8}-)`)},
	},
}

// steps are steps to reproduce, told without a person, in a list below a heading that says so.
var steps = []said{
	{model.SaidKubeletStopped, re(`\b(?:stop|kill|mask) (?:the )?kubelet`)},
	{model.SaidNodeRemoved, re(`\b(?:delete|remove|terminate|destroy) ` + det + `(?:` + aMachine + `\b|` + machineNamed + `)`)},
	{model.SaidNodeDrained, re(`\bdrain ` + det + `(?:` + aMachine + `\b|` + machineNamed + `)`)},
	{model.SaidNodeOff, re(`\b(?:shut ?down|power ?(?:off|down)|turn off|switch off|stop|halt|unplug|crash|kill|reset|reboot) ` + det + `(?:` +
		aMachine + `\b|` + machineNamed + `)`)},
	{model.SaidNodeOff, re(`(?:关闭|关掉|断电|停掉|停止|關閉|關掉).{0,6}(?:节点|節點|服务器|机器|主机|虚拟机)|ノードを?.{0,6}(?:停止|シャットダウン)|노드를?.{0,6}(?:종료|셧다운|중지)`)},
	{model.SaidRollout, re(`\b(?:update|upgrade|redeploy|restart) (?:the |your |a )?(?:deployment|release|chart|application|image)\b`)},
}

// languages are tried in this order.
var languages = append([]language{english}, otherLanguages...)
