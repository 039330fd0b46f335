package replay

// What is drawn. Each is a position in [0, 1] within what the evidence leaves open.
const (
	uMonitor  = iota // the node monitor's loop
	uCollect         // pod GC's loop
	uOrphan          // pod GC's own work on a missing node
	uSync            // the attach/detach controller's sync
	uDetach          // the driver's detach
	uAttach          // the driver's attach
	uReported        // the kubelet's next report, with the volume as in use
	uMount           // mount and start of the containers
	uPod             // end of a pod on a live node
	uUnmount         // its unmount, until the node reports it
	uPlace           // creation and scheduling of the replacement
	uRetry           // the external-attacher's pause between two tries
	uAgain           // the attach/detach controller's pause between two tries
	uAct             // what people did, of which only bounds are known
	dims
)

// draw is one set of positions.
type draw [dims]float64

// Draws is how many replays a prediction rests on: a prime, as the lattice needs.
const Draws = 61

// generator is a primitive root of Draws: its powers are the lattice's steps, each another one.
const generator = 17

// draws are the points of a Korobov lattice: each dimension has every position once, and few replays cover every pair of loops.
func draws() *[Draws]draw {
	var out [Draws]draw
	step := 1
	for d := range dims {
		for n := range Draws {
			out[n][d] = (float64(n*step%Draws) + 0.5) / Draws
		}
		step = step * generator % Draws
	}
	return &out
}
