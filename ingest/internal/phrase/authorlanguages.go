package phrase

import "github.com/volpost/volpost/model"

// otherLanguages are those in which public incidents are told. Their words for machines and claims are often the English ones.
var otherLanguages = []language{
	{name: "Chinese",
		spoiled: re(`[吗嗎么麼]？|？\s*$|如果|假如|若(?:是|果)?|是否|应该|應該|建议|建議|可以|可能|例如|比如|当(?:节点|節點).{0,8}[时時]`),
		denied:  re(`(?:没有|沒有|并未|並未|未|没|沒|不|从未|從未)$|(?:没有|沒有|并未|未|没|从未|不).*\x00`),
		rows: []said{
			{model.SaidOver, re(`恢[复復]了?(?:正常|运行|運行)|问题(?:已经?)?(?:解决|恢复)|問題(?:已經?)?解決|(?:自动|自己|自動)(?:挂载|掛載|附加|attach)[^，。]{0,4}(?:成功|上|了)|` +
				`(?:pod|容器组?|服务|服務)[^，。]{0,10}(?:起来了|起來了|(?:启动|啟動)(?:成功|了))`)},
			{model.SaidNodeReclaimed, re(`(?:抢占式|搶占式|竞价|競價|spot).{0,16}?(?:回收|中断|中斷|释放|釋放|终止|終止)`)},
			{model.SaidKubeletStopped, re(`(?:停止|停掉|停了|关闭|杀掉)了?.{0,4}kubelet|kubelet.{0,10}?(?:停止|停了|挂了|宕|异常退出|被杀)`)},
			{model.SaidNodeRemoved, re(`(?:节点|節點|服务器)[^，。]{0,14}?被?(?:删除|刪除|移除|下线|下線|销毁|替换)|(?:删除|刪除|移除|替换)了?[^，。]{0,6}(?:节点|節點)`)},
			{model.SaidNodeOff, re(`(?:节点|節點|服务器|伺服器|机器|機器|主机|主機|虚拟机|虛擬機|node)[^，。]{0,40}?(?:关机|關機|断电|斷電|宕机|当机|當機|停机|停機|挂了|掛了|` +
				`挂掉|掉电|崩溃|失联|失聯|故障|重启|重啟)`)},
			{model.SaidNodeOff, re(`(?:关闭|關閉|关掉|關掉|断掉|停掉|强制关机|關機)了?[^，。]{0,10}(?:节点|節點|服务器|伺服器|机器|機器|主机|主機|虚拟机|node)`)},
			{model.SaidShared, re(`(?:两个|兩個|2个|三个|多个|多個|几个)[^，。]{0,14}?(?:deployment|pod|statefulset|工作负载|应用|應用|副本|服务|服務)[^。]{0,24}?` +
				`(?:共享|共用|挂载|掛載|使用)[^。]{0,10}?(?:同一|同个|一个|一個)?[^。]{0,10}?(?:pvc|pv|卷|存储|儲存|claim|volume)`)},
			{model.SaidRollout, re(`滚动(?:更新|升级|发布|重启)|(?:更新|升级|重新部署)了?[^，。]{0,10}(?:deployment|镜像|应用)|滾動(?:更新|升級)`)},
			{model.SaidNodeDrained, re(`(?:驱逐|驅逐|排空|drain)了?[^，。]{0,8}(?:节点|節點)|(?:节点|節點)[^，。]{0,8}(?:驱逐|排空|drain)`)},
		}},
	{name: "Japanese",
		spoiled: re(`か？|？\s*$|場合|もし|すべき|べき|たら(?:よい|いい)|かもしれ|例えば|たとえば|すると`),
		denied:  re(`\x01$|(?:てい|し|され|せ)(?:ない|ません|ず|なかった).*\x00`),
		behind:  24,
		rows: []said{
			{model.SaidOver, re(`(?:復旧|解消|解決)(?:し(?:た|まし)|され(?:た|まし)|でき(?:た|まし))|(?:pod|ポッド|正常に|無事に?|自動的?に|自然に)[^、。]{0,16}(?:起動|アタッチ|マウント)` +
				`(?:し(?:た|まし)|でき(?:た|まし)|され(?:た|まし))`)},
			{model.SaidNodeReclaimed, re(`(?:スポット|spot)(?:インスタンス)?.{0,20}?(?:中断|回収|終了|停止)(?:さ|し|に|が|で|後|通知)`)},
			{model.SaidKubeletStopped, re(`kubelet[をがは]?.{0,8}?(?:停止|落ち|止め|止ま|死)`)},
			{model.SaidNodeRemoved, re(`(?:ノード|node)\s?[\w.-]*[をがは].{0,8}?(?:削除|撤去|入れ替え)(?:し|さ|後)|ノード(?:の)?(?:削除|入れ替え)(?:後|を行|によ)`)},
			{model.SaidNodeOff, re(`(?:ノード|サーバー?|マシン|インスタンス|node)\s?[\w.-]*(?:[をがは]|の電源[をが])?.{0,10}?(?:停止|シャットダウン|ダウン|落ち|落とし|切[っり]|故障|クラッシュ|` +
				`再起動)(?:し(?:た|て|まし)|さ(?:れ|せ)|て|たた?|まし|後|し|、)|ノード障害`)},
			{model.SaidShared, re(`(?:2つ|二つ|２つ|複数|両方|2個)の?.{0,16}?(?:deployment|statefulset|pod|ワークロード|アプリ|サービス).{0,30}?` +
				`(?:同じ|共有|同一|1つの|一つの).{0,14}?(?:pvc|pv|ボリューム|クレーム|volume)`)},
			{model.SaidRollout, re(`rolling ?update|ローリング(?:アップデート|更新|リスタート)|(?:デプロイメント|deployment)を(?:更新|再起動|再デプロイ)`)},
			{model.SaidNodeDrained, re(`(?:ノード|node)[をの]?.{0,8}?(?:ドレイン|drain)(?:し(?:た|て|まし)|後)|(?:ドレイン|drain)(?:し(?:た|て|まし)|した後|後に)`)},
		}},
	{name: "Korean",
		spoiled: re(`(?:까요|나요|까)\?|\?\s*$|만약|경우에는|라면|하면|해야|수 있|예를 들`),
		denied:  re(`(?:안|못)\s?$|지 ?(?:않|못).*\x00`),
		behind:  24,
		rows: []said{
			{model.SaidOver, re(`(?:복구|해결)(?:됐|되었|했)|(?:다시|정상적?으로|자동으로) ?(?:동작|기동|실행|연결|마운트|올라|붙)(?:됐|되었|했|왔|었)`)},
			{model.SaidNodeReclaimed, re(`(?:스팟|spot).{0,24}?(?:인터럽션|중단|회수|종료|인터럽트)`)},
			{model.SaidKubeletStopped, re(`kubelet[을를이가]?.{0,8}?(?:중지|정지|종료|죽|멈)`)},
			{model.SaidNodeRemoved, re(`노드[를을가이]?.{0,8}?(?:삭제|제거|교체)(?:했|됐|되|한|된|하고|후)`)},
			{model.SaidNodeOff, re(`(?:노드|서버|node)\s?[\w.-]*[를을가이의]?.{0,12}?(?:종료|셧다운|전원|다운|꺼|중단|죽|장애|재부팅)(?:했|됐|되|한|된|졌|진|하고|후|이|을|가|으로|었|로)`)},
			{model.SaidShared, re(`(?:두|2|여러|세|다수의?)\s?(?:개의?)?\s?.{0,10}?(?:deployment|디플로이먼트|파드|pod|워크로드|` +
				`애플리케이션).{0,30}?(?:같은|동일한|공유|하나의).{0,14}?(?:pvc|pv|볼륨|클레임|volume)`)},
			{model.SaidRollout, re(`롤링\s?업데이트|(?:디플로이먼트|deployment)[를을]? ?(?:재시작|업데이트|재배포)|rolling ?update`)},
			{model.SaidNodeDrained, re(`노드[를을]?.{0,8}?(?:드레인|drain)(?:했|한|하고|후)|(?:드레인|drain)(?:했|한 후|하고| 후)`)},
		}},
	{name: "Portuguese",
		spoiled: re(`\?\s*$|\b(?:se|caso|deve(?:ria)?|poderia|pode|quando (?:o|um) nó (?:é|fica|cai)|por exemplo|normalmente|geralmente)\b`),
		denied:  re(`\b(?:não|nunca|nem|sem)\b(?: \S+){0,2} ?$|\b(?:não|nunca)\b.*\x00`),
		rows: []said{
			{model.SaidOver, re(`\b(?:pods?|serviço|banco|tudo)\b(?: \S+){0,3} (?:voltou|subiu|iniciou|está (?:rodando|no ar))|\bproblema(?: \S+){0,2} (?:resolvido|resolveu)|` +
				`\b(?:resolvido|corrigido|resolvi|resolvemos) (?:com|ao|após|depois|reiniciando|apagando|deletando)|\b(?:anexou|conectou|montou)(?:-se)? (?:sozinho|por conta própria)`)},
			{model.SaidNodeReclaimed, re(`\bspot\b.{0,40}?(?:interromp\w+|interrupç\w+|recuperad\w+|preempt\w+|encerrad\w+|retomad\w+)|` +
				`(?:interrupç\w+|preempç\w+).{0,12}\bspot\b`)},
			{model.SaidKubeletStopped, re(`kubelet\b.{0,16}?(?:parado|parou|caiu|morreu|travou)|(?:parei|paramos|pararam) o kubelet`)},
			{model.SaidNodeRemoved, re(`(?:nós?|nodes?)\s.{0,24}?(?:removid|deletad|excluíd|apagad|substituíd)[oa]s?|(?:removi|removemos|` +
				`deletei|deletamos|excluí|excluímos|substituímos) (?:o |um |os )?(?:nó|node)`)},
			{model.SaidNodeOff, re(`(?:nó|node|servidor|máquina|vm)\s.{0,24}?(?:desligad[oa]|desligou|caiu|fora do ar|parou de responder|` +
				`reiniciad[oa]|travou|indisponível)`)},
			{model.SaidNodeOff, re(`(?:desliguei|desligamos|desligaram|derrubei|derrubamos|reiniciei|reiniciamos) (?:o |a |um |uma |os )?(?:nó|` +
				`node|servidor|máquina|vm)`)},
			{model.SaidShared, re(`(?:dois|duas|vários|várias|múltiplos|ambos|três) (?:os )?(?:deployments?|pods?|statefulsets?|workloads?|` +
				`aplicaç\w+|serviços).{0,30}?(?:compartilh\w+|usam|usavam|montam|utilizam).{0,20}?(?:pvc|volume|claim|disco)|` +
				`\b(?:compartilham|usam|montam|utilizam) (?:\S+ )?(?:o |a )?mesm[oa] (?:pvc|volume|claim|disco)`)},
			{model.SaidRollout, re(`rolling ?update|atualização (?:gradual|contínua)`)},
			{model.SaidNodeDrained, re(`\b(?:drenei|drenamos|drenad[oa]|drenagem)\b|(?:após|depois d[eo]) (?:o )?drain`)},
		}},
	{name: "Italian",
		spoiled: re(`\?\s*$|\b(?:se|qualora|dovrebbe|dovrei|potrebbe|può|quando un nodo|ad esempio|di solito|normalmente)\b`),
		denied:  re(`\b(?:non|mai|senza)\b(?: \S+){0,2} ?$|\b(?:non|mai)\b.*\x00`),
		rows: []said{
			{model.SaidOver, re(`\b(?:pod|servizio|tutto)\b(?: \S+){0,3} (?:è|sono) (?:ripartit|partit|tornat)[oi]|\bproblema(?: \S+){0,2} risolto|\brisolto (?:con|riavviando|eliminando|dopo)|` +
				`\bsi è (?:\S+ ){0,2}(?:collegato|agganciato|montato|risolto) da (?:solo|sé)`)},
			{model.SaidNodeReclaimed, re(`\bspot\b.{0,40}?(?:interrott\w+|interruzion\w+|revocat\w+|terminat\w+|preempt\w+)|` +
				`interruzion\w+ (?:\S+ ){0,3}spot\b`)},
			{model.SaidKubeletStopped, re(`kubelet\b.{0,16}?(?:fermat|arrestat|bloccat|morto|caduto)|(?:fermato|arrestato) il kubelet`)},
			{model.SaidNodeRemoved, re(`\bnod[oi]\b.{0,24}?(?:rimoss|eliminat|cancellat|sostituit)[oi]|(?:rimosso|eliminato|cancellato|` +
				`sostituito) (?:il |un |i )?nod[oi]`)},
			{model.SaidNodeOff, re(`\b(?:nodo|server|macchina|vm|host)\b.{0,24}?(?:spent[oa]|cadut[oa]|crashat[oa]|arrestat[oa]|irraggiungibile|` +
				`andat[oa] giù|è giù|in crash|riavviat[oa])`)},
			{model.SaidNodeOff, re(`\b(?:spento|spenta|arrestato|riavviato|spegnimento) (?:del |il |la |un |una )?(?:nodo|server|macchina|vm|` +
				`host)`)},
			{model.SaidShared, re(`\b(?:due|più|diversi|entrambi|tre|vari) (?:i )?(?:deployment|pod|statefulset|workload|applicazioni|` +
				`servizi).{0,30}?(?:condivid\w+|usano|usavano|montano|utilizzano).{0,20}?(?:pvc|volume|claim|disco)`)},
			{model.SaidRollout, re(`rolling ?update|aggiornamento (?:progressivo|graduale)`)},
			{model.SaidNodeDrained, re(`\b(?:drenato|drenaggio)\b|(?:dopo il|fatto il|eseguito il) drain|drain del nodo`)},
		}},
	{name: "German",
		spoiled: re(`\?\s*$|\b(?:wenn|falls|sollte|sollten|könnte|würde|ob|z\.\s?B\.|zum Beispiel|normalerweise|üblicherweise)\b`),
		denied:  re(`\b(?:nicht|nie|niemals|kein\w*|ohne)\b(?: \S+){0,2} ?$|\b(?:nicht|nie|kein\w*)\b.*\x00`),
		rows: []said{
			{model.SaidNodeReclaimed, re(`\bspot\b.{0,40}?(?:unterbroch\w+|unterbrechung\w*|entzogen|beendet|zurückgenommen|zurückgeholt)|` +
				`unterbrechung (?:\S+ ){0,3}spot`)},
			{model.SaidOver, re(`\b(?:läuft|laufen|lief|liefen) (?:\S+ ){0,2}wieder\b|\b(?:ist|sind) (?:\S+ ){0,5}wieder (?:running|da|online|ok|oben|hochgekommen)\b|` +
				`\bhat sich (?:\S+ ){0,6}?(?:selbst|allein) (?:angehängt|gelöst|erledigt|verbunden)|\bproblem (?:\S+ ){0,2}(?:behoben|gelöst|erledigt)|\b(?:behoben|gelöst) (?:durch|mit|nach)\b|` +
				`\b(?:pod|er|es|dienst|datenbank) (?:\S+ )?hoch(?:gekommen)?$|\bkam (?:\S+ ){0,4}hoch$`)},
			{model.SaidMachineRuns, re(`\b(?:ssh|ping)\b(?: \S+){0,4} (?:geht|gehen|funktionier(?:t|en)|klapp(?:t|en)|antwortet)(?: aber| ja)? (?:noch|weiterhin)\b|` +
				`\b(?:per|über|via) (?:ssh|ping) (?:\S+ )?(?:erreichbar|zu erreichen)\b|\bantwortet (?:\S+ )?auf (?:ssh|pings?)\b|` +
				`\b(?:knoten|node|server|maschine|vm|host|kiste)\b(?: \S+){0,2} (?:läuft|lebt) (?:aber )?noch\b`)},
			{model.SaidKubeletStopped, re(`kubelet\b.{0,24}?(?:gestoppt|angehalten|beendet|abgestürzt|gekillt)`)},
			{model.SaidNodeRemoved, re(`\b(?:knoten|nodes?|server)\b.{0,30}?(?:gelöscht|entfernt|ersetzt|ausgetauscht)|` +
				`\b(?:vom|durch (?:den )?) ?(?:cluster[- ]?)?(?:autoscaler|karpenter) (?:\S+ )?(?:gelöscht|entfernt|beendet|abgeräumt|terminiert)`)},
			{model.SaidAttachmentLeft, re(`\bvolume ?attachments?\b.{0,60}?(?:gelöscht|hängt|bleibt|übrig|löschen)`)},
			{model.SaidNodeOff, re(`\b(?:knoten|node|server|maschine|vm|host)\b.{0,30}?(?:heruntergefahren|ausgeschaltet|abgeschaltet|` +
				`ausgefallen|abgestürzt|nicht erreichbar|(?:ist|war) down\b|neu gestartet|weggebrochen)|\b(?:ausfall|absturz|herunterfahren|` +
				`abschalten) (?:des|eines|vom) (?:knotens?|nodes?|servers?)|(?:knoten|node|strom)ausfall`)},
			{model.SaidNodeOff, re(`stromausfall`)},
			{model.SaidShared, re(`\b(?:zwei|beide|mehrere|drei|verschiedene) (?:deployments?|pods?|statefulsets?|workloads?|anwendungen|` +
				`dienste).{0,40}?(?:teilen|nutzen|verwenden|benutzen|mounten|binden|hängen).{0,30}?(?:pvc|claim|volume|datenträger)`)},
			{model.SaidShared, re(`\b(?:zwei|beide|mehrere|drei) (?:deployments?|pods?|statefulsets?|workloads?|` +
				`anwendungen).{0,10}?(?:dasselbe|denselben|dieselbe|das gleiche|den gleichen).{0,20}?(?:pvc|claim|volume|datenträger)`)},
			{model.SaidRollout, re(`rolling ?update|rollende\w* (?:update|aktualisierung)`)},
			{model.SaidNodeDrained, re(`\b(?:knoten|node)\b.{0,24}?(?:gedraint|gedrained|geleert|entleert)|nach dem drain`)},
		}},
	{name: "Spanish",
		spoiled: re(`\?\s*$|\b(?:si|debería|podría|puede|cuando un nodo|por ejemplo|normalmente)\b`),
		denied:  re(`\b(?:no|nunca|sin|ni)\b(?: \S+){0,2} ?$|\b(?:no|nunca)\b.*\x00`),
		rows: []said{
			{model.SaidOver, re(`\b(?:pod|servicio|todo|base de datos)\b(?: \S+){0,3} (?:volvió|arrancó|levantó|se recuperó|está corriendo|ya funciona)|\bproblema(?: \S+){0,2} (?:resuelto|solucionado|se resolvió)|` +
				`\b(?:solucionado|resuelto|lo solucioné|lo solucionamos|se solucionó|se resolvió|se arregló) (?:al|con|tras|después|reiniciando|borrando|eliminando|sol[oa])|\bse (?:adjuntó|conectó|montó) (?:sol[oa]|por sí)`)},
			{model.SaidNodeReclaimed, re(`\bspot\b.{0,40}?(?:interrump\w+|interrupci\w+|reclamad\w+|recuperad\w+)|` +
				`interrupci\w+ (?:\S+ ){0,3}spot`)},
			{model.SaidKubeletStopped, re(`kubelet\b.{0,16}?(?:detenido|detuvo|parado|caído|murió)|(?:detuve|detuvimos|paramos) el kubelet`)},
			{model.SaidNodeRemoved, re(`\bnodos?\b.{0,24}?(?:eliminad|borrad|reemplazad)[oa]s?|(?:eliminé|eliminamos|borré|borramos|quitamos|` +
				`reemplazamos) (?:el |un |los )?nodos?`)},
			{model.SaidNodeOff, re(`\b(?:nodo|servidor|máquina|vm)\b.{0,24}?(?:apagad[oa]|apagó|caíd[oa]|cayó|fuera de servicio|inaccesible|` +
				`reiniciad[oa]|reinició)`)},
			{model.SaidNodeOff, re(`(?:apagué|apagó|apagamos|apagaron|reiniciamos|tumbamos) (?:el |un |la |una )?(?:nodo|servidor|máquina|vm)`)},
			{model.SaidShared, re(`\b(?:dos|ambos|varios|múltiples|tres) (?:los )?(?:deployments?|pods?|statefulsets?|workloads?|aplicaciones|` +
				`servicios|despliegues).{0,30}?(?:comparten|compartían|usan|usaban|montan|utilizan).{0,20}?(?:pvc|volumen|claim|disco)`)},
			{model.SaidRollout, re(`actualización (?:gradual|continua|progresiva)`)},
			{model.SaidNodeDrained, re(`\b(?:drené|drenamos|drenado|drenaje)\b|(?:tras|después de) (?:el )?drain`)},
		}},
	{name: "French",
		spoiled: re(`\?\s*$|\b(?:si|devrait|pourrait|peut|lorsqu['’]un|quand un|par exemple|normalement)\b`),
		denied:  re(`\b(?:pas|jamais|sans|ni|aucun)\b(?: \S+){0,2} ?$|\b(?:pas|jamais|aucun)\b.*\x00`),
		rows: []said{
			{model.SaidOver, re(`\b(?:pod|service|tout|base)\b(?: \S+){0,3} (?:a (?:fini par )?(?:re)?démarr|est (?:reparti|revenu|remonté)|remarche|fonctionne (?:à|de) nouveau)|` +
				`\bproblème(?: \S+){0,2} (?:résolu|réglé)|\b(?:résolu|réglé|corrigé) (?:en|par|après|avec)\b|s['’]est (?:\S+ ){0,3}?(?:attaché|monté|résolu|débloqué)e? (?:tout(?:e)? )?(?:seul|d['’]elle|de lui)`)},
			{model.SaidNodeReclaimed, re(`\bspot\b.{0,40}?(?:interromp\w+|interruption\w*|préempt\w+|repris\w*)|interruption (?:\S+ ){0,3}spot`)},
			{model.SaidKubeletStopped, re(`kubelet\b.{0,16}?(?:arrêté|stoppé|tombé|planté)|(?:arrêté|stoppé) le kubelet`)},
			{model.SaidNodeRemoved, re(`\bn(?:œ|oe)uds?\b.{0,24}?(?:supprimé|retiré|remplacé)|(?:supprimé|retiré|remplacé) (?:le |un |` +
				`les )?n(?:œ|oe)uds?`)},
			{model.SaidNodeOff, re(`\b(?:n(?:œ|oe)ud|serveur|machine|vm)\b.{0,24}?(?:éteint|arrêté|tombé|planté|hors ligne|injoignable|` +
				`redémarré)`)},
			{model.SaidNodeOff, re(`(?:éteint|arrêté|coupé|redémarré) (?:le |un |la |une )?(?:n(?:œ|oe)ud|serveur|machine|vm)`)},
			{model.SaidShared, re(`\b(?:deux|plusieurs|trois|différents) (?:deployments?|déploiements?|pods?|statefulsets?|workloads?|` +
				`applications|services).{0,30}?(?:partagent|utilisent|montent|partageaient).{0,20}?(?:pvc|volume|claim|disque)`)},
			{model.SaidRollout, re(`mise à jour (?:progressive|continue)`)},
			{model.SaidNodeDrained, re(`\bdrainé\b|drain du n|après (?:le |un )?drain`)},
		}},
	{name: "Russian",
		spoiled: re(`\?\s*$|(?:^|\s)(?:если|можно|нужно|следует|должен|должна|должно|должны|может|например|обычно|чтобы|когда (?:узел|нода))(?:\s|$)`),
		denied:  re(`(?:^|\s)(?:не|ни|без|никогда)\s(?:\S+ )?$|\s(?:не|никогда)\s.*\x00`),
		rows: []said{
			{model.SaidOver, re(`(?:^|\s)(?:под|pod|сервис|база|вс[её])\S*(?: \S+){0,3}? (?:запустил|поднял|заработал|восстановил)\S*|(?:^|\s)(?:том|диск)(?: \S+){0,3}? подключил\S*|` +
				`проблема (?:\S+ )?(?:решена|решилась|ушла|исчезла)|(?:^|\s)(?:помогло|решилось) `)},
			{model.SaidKubeletStopped, re(`kubelet.{0,16}?(?:останов|упал|завис)|останови\S* kubelet`)},
			{model.SaidNodeRemoved, re(`(?:узел|нод[аыу]|сервер)(?: \S+){0,3}? удал[её]н|удалил\S* (?:узел|ноду|сервер)`)},
			{model.SaidNodeOff, re(`(?:узел|узлы|нод[аы]|сервер|машина|хост)(?: \S+){0,3}? (?:выключ|упал|недоступ|отключ|перезагру|сгорел|умер|завис)|` +
				`(?:выключени|выключил|отключени|отключил|перезагрузк|перезагрузил|падени)\S* (?:узл|узел|нод|сервер|машин|хост)`)},
			{model.SaidShared, re(`(?:два|две|оба|несколько|три) (?:\S+ )?(?:деплоймент|deployment|под|pod|приложени)\S*.{0,30}?(?:использу|монтиру|делят)\S*.{0,20}?(?:pvc|том|диск|claim)`)},
			{model.SaidRollout, re(`обнов\S+ (?:\S+ ){0,3}?(?:деплоймент|deployment|образ|чарт|chart|релиз)|rolling ?update`)},
			{model.SaidNodeDrained, re(`(?:после|сделал\S*|выполнил\S*) (?:\S+ )?(?:drain|дрейн)`)},
		}},
}
