// The runner of mutants is a module of its own, as the generator is: nothing of it is a part of the program.
module github.com/volpost/volpost/.ci/mutants

go 1.26.0

require golang.org/x/tools v0.52.0
