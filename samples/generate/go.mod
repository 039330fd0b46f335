// The generator of large clusters is a module of its own, as the recorder is: nothing of it is a part of the program.
module github.com/volpost/volpost/samples/generate

go 1.26.0

require github.com/volpost/volpost v0.0.0

require github.com/klauspost/compress v1.20.3 // indirect

replace github.com/volpost/volpost => ../..
