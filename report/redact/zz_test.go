package redact_test
import ("testing";"bytes";"strings";"github.com/volpost/volpost/report";"github.com/volpost/volpost/report/redact")
func TestZZ(t *testing.T){
 r := sampleReport(t, "drained-apart")
 out, key := redact.Of(r)
 var b,a bytes.Buffer
 report.Write(&b,"md",r); report.Write(&a,"md",out)
 for _,x:=range []string{b.String(),a.String()} { for _,l:=range strings.Split(x,"\n") { if strings.Contains(l,"error: …") { t.Log(l) } } }
 back,_:=key.Text(a.String())
 for _,l:=range strings.Split(back,"\n") { if strings.Contains(l,"error: …") { t.Log(l) } } 
}
