package words

import "testing"

func TestCounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0, "pod"), "0 pods"}, {Count(1, "pod"), "1 pod"}, {Count(3, "pod"), "3 pods"},
		{Plural(1, "class", "classes"), "1 class"}, {Plural(2, "class", "classes"), "2 classes"},
		{List(nil), ""}, {List([]string{"a"}), "a"}, {List([]string{"a", "b", "c", "d"}), "a, b, c, d"}, {List([]string{"a", "b", "c", "d", "e"}),
			"a, b, c and 2 others"},
		{Capital("volume of a"), "Volume of a"}, {Capital("état"), "État"}, {Capital(""), ""}, {Capital("\xff"), "\xff"},
		{Clip("a  b\nc", 5), "a b c"}, {Clip("a  b\ncd", 5), "a b c…"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
