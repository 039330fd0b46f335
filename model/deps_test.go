package model

import (
	_ "github.com/goccy/go-graphviz"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/tools/txtar"
	_ "sigs.k8s.io/yaml"
)
