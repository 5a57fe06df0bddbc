package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/quern-project/quern/sdk/abi"
)

// Reply answers a Request. On the wire: Call, Table, Epoch (u64), Code, Keys, Rows, bytes of Text (u32), the answers
// (f64) and the text.
type Reply struct {
	Call, Table, Epoch uint64 // as in the request
	Code               uint32 // abi.OK, another code of abi for a failure, or Resend
	Keys               uint32 // numbers in an answer
	Rows               uint32 // answers there are, in the order in which the rows were asked about
	Text               string // says why, after a failure; at most abi.MaxErrorText bytes
	answers            []byte
}

// Resend is the code of a plugin that does not have the table, or not of this epoch: the host sends it in full.
const Resend = 16

// ReplySize is the size in bytes of a Reply without answers and text.
const ReplySize = 40

// AppendHead writes the reply behind buf, up to its answers: AppendAnswer adds them, Keys*Rows in all. A reply has either
// answers or a text.
func (r *Reply) AppendHead(buf []byte) []byte {
	le := binary.LittleEndian
	text := cut(r.Text)
	if r.Rows > 0 {
		text = ""
	}
	for _, v := range []uint64{r.Call, r.Table, r.Epoch} {
		buf = le.AppendUint64(buf, v)
	}
	for _, v := range []uint32{r.Code, r.Keys, r.Rows, uint32(len(text))} {
		buf = le.AppendUint32(buf, v)
	}
	return append(buf, text...)
}

// AppendAnswer adds a number to a reply.
func AppendAnswer(buf []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
}

// ReadReply checks a message and returns the reply in it, whose answers lie in the message.
func ReadReply(data []byte) (Reply, error) {
	var r Reply
	if len(data) < ReplySize {
		return r, fmt.Errorf("%w: reply: expected %d bytes at least, found %d", ErrMessage, ReplySize, len(data))
	}
	le := binary.LittleEndian
	for i, field := range []*uint64{&r.Call, &r.Table, &r.Epoch} {
		*field = le.Uint64(data[8*i:])
	}
	r.Code, r.Keys, r.Rows = le.Uint32(data[24:]), le.Uint32(data[28:]), le.Uint32(data[32:])
	text := uint64(le.Uint32(data[36:]))
	if r.Keys > abi.MaxKeys || text > abi.MaxErrorText {
		return r, fmt.Errorf("%w: reply: expected at most %d keys and a text of %d bytes, found %d and %d", ErrMessage, abi.MaxKeys, abi.MaxErrorText, r.Keys, text)
	}
	answers, rest := 8*uint64(r.Keys)*uint64(r.Rows), data[ReplySize:]
	if uint64(len(rest)) != answers+text {
		return r, fmt.Errorf("%w: reply: expected %d answers of %d keys and a text of %d bytes, %d bytes in all, found %d", ErrMessage, r.Rows, r.Keys, text, answers+text, len(rest))
	}
	r.answers, r.Text = rest[:answers], string(rest[answers:])
	return r, nil
}

// Answer is key j of the answer to the i-th row that was asked about.
func (r *Reply) Answer(i, j int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.answers[8*(i*int(r.Keys)+j):]))
}
