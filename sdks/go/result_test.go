package checkline

import "testing"

func TestTrue(t *testing.T) {
	yes, no := true, false
	if !True(&yes) || True(&no) || True(nil) {
		t.Error("only a known true is true")
	}
}
