package main

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

func rulesFlag(flags *pflag.FlagSet, files *[]string) {
	flags.StringArrayVar(files, "rules", nil, "run the alerting rules of this `FILE`, too: groups of Prometheus or PrometheusRules; repeatable")
}

// readRules reads rule files. One that holds no rule at all is an error; what of another one cannot be used is told in the
// report.
func readRules(names []string) ([]model.RuleFile, error) {
	var out []model.RuleFile
	for _, name := range names {
		f, err := readRuleFile(name)
		if err != nil {
			return nil, failf("the rules of --rules: %v", err).hinted("promtool check rules FILE says more of a rule file")
		}
		out = append(out, f)
	}
	return out, nil
}

func readRuleFile(name string) (model.RuleFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return model.RuleFile{}, err
	}
	defer file.Close() // it was only read
	return ingest.ReadRules(name, file)
}
