package playground

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"time"
)

// LongestLink is how many characters a link may have: mail programs and chats cut longer ones.
const LongestLink = 16_000

// Packed is the journal as a playground takes it from an address, behind #s=, to open at a time; empty: that would be too long.
func (g *Given) Packed(begin time.Duration) string {
	scenario := struct {
		Title   string  `json:"t"`
		Journal string  `json:"j"`
		Begin   float64 `json:"b,omitempty"` // seconds
	}{g.name, string(g.Journal), begin.Seconds()}
	text, err := json.Marshal(&scenario)
	if err != nil {
		return "" // strings and a finite number can be written
	}
	var to bytes.Buffer
	w, _ := flate.NewWriter(&to, flate.BestCompression) // there is that level
	_, _ = w.Write(text)                                // to memory
	_ = w.Close()                                       // likewise
	if base64.RawURLEncoding.EncodedLen(to.Len()) > LongestLink {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(to.Bytes())
}
