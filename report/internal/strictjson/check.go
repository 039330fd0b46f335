package strictjson

// Limits bound what a text may consist of: a few bytes of hostile JSON become hundreds in memory.
type Limits struct {
	Depth  int // levels below the outermost value
	Values int // objects, arrays, texts, numbers and words
	Piece  int // bytes from one cut of a member to the next
}

// Reason is what a Fault is.
type Reason int

// The reasons.
const (
	Malformed Reason = iota + 1 // encoding/json says why
	CutOff                      // the text ends within the value
	Trailing                    // something follows the value
	TooDeep
	TooMany
	KeyTwice
)

// Fault says why a text cannot be used at all. Offset is where, in bytes. Key is the second of two keys that are equal
// without regard to case: Go matches keys so, schemas match them exactly, and of two spellings one would be checked and the
// other one used.
type Fault struct {
	Reason Reason
	Offset int
	Key    string
}

// Breach is a place that does not keep the schema.
type Breach struct {
	Path    []string // keys and indices from the outermost value
	Offset  int      // of the value, in bytes
	Message string
}

// Member is a member of the outermost object that the schema describes: the value is data[Start:End]. Cuts are offsets of
// some elements, when it is an array: the first, and then at least Limits.Piece bytes apart.
type Member struct {
	Name       string
	Start, End int
	Cuts       []int
}

// Outline is what a check learns of a text without faults. Breach is the deepest place that does not keep the schema, of
// several the first; nil when all do.
type Outline struct {
	Members []Member
	Breach  *Breach
}

// Check reads data, which is one JSON value. One of its results is nil.
func (s *Schema) Check(data []byte, l Limits) (*Outline, *Fault) {
	w := walk{data: data, limits: l, keys: make([]keySet, l.Depth+1)}
	w.blanks()
	if !w.value(s.root) {
		return nil, w.fault
	}
	if w.blanks(); w.at < len(data) {
		return nil, &Fault{Reason: Trailing, Offset: w.at}
	}
	w.out.Breach = w.breach()
	return &w.out, nil
}
