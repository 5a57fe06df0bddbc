package journal

import (
	"io"
	"strings"
	"testing"
)

// After a reset, a decoder knows nothing of the previous journal: neither its header nor its times, line numbers or errors.
func TestADecoderThatIsResetReadsAsANewOne(t *testing.T) {
	d := NewDecoder(strings.NewReader(`{"type":"journal","version":1,"grace":"1s"}`+"\n"+`{"at":"5s","type":"tick"}`+"\n"+"nonsense\n"), "first", nil)
	if _, err := d.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Next(); err == nil || !strings.HasPrefix(err.Error(), "first:3:") {
		t.Fatalf("found %v", err)
	}
	d.Reset(strings.NewReader(`{"at":"2026-01-02T03:04:05Z","type":"tick"}`+"\n"+"nonsense\n"), "second")
	if d.Form() != UnknownForm {
		t.Errorf("the form is %v before anything was read", d.Form())
	}
	if e, err := d.Next(); err != nil || e.Input.Type() != "tick" || d.Form() != Absolute {
		t.Errorf("found %+v, %v", e, err)
	}
	if _, err := d.Next(); err == nil || !strings.HasPrefix(err.Error(), "second:2:") {
		t.Errorf("found %v", err)
	}
	d.Reset(strings.NewReader(""), "third")
	if _, err := d.Next(); err != io.EOF {
		t.Errorf("found %v", err)
	}
}
