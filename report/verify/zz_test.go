package verify_test
import ("testing";"context";"github.com/volpost/volpost/samples";"github.com/volpost/volpost/ingest";"github.com/volpost/volpost/model")
func TestZZ(t *testing.T){
 bundle,_:=samples.Bundle("drained-apart")
 for _, each := range []bool{false,true} {
 opened := ingest.OpenFS(bundle, "bundle")
 if each { _,_ = ingest.Each(context.Background(), opened, ingest.Limits{}, func(f ingest.File) error {return nil}) }
 s, err := ingest.Read(context.Background(), opened, ingest.Options{})
 n:=0
 for _,o:=range s.Observations { if o.Source.Kind==model.SourceMetric {n++; if n<4 {t.Logf("%+v %.200q", o.Source, o.Quote.Text)}}}
 t.Log(each, err, n, len(s.Observations), len(s.Metrics))
 for _,m:=range s.Metrics{t.Logf("%+v %v %v", m.Path, m.Input, m.Form)}
 for _,m:=range s.Problems{t.Logf("%+v", m)}
 opened.Close()
 }
}
