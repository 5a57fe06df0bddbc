package recording

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// message says which fields of a protobuf message are decoded, by number. A field with nil is decoded as a whole. The numbers are those of
// Kubernetes' generated.proto files, which never change.
type message map[protowire.Number]message

// The fields that strip keeps.
var (
	resourceFields  = message{2: nil} // requests
	containerFields = message{1: nil, 6: nil, 8: resourceFields, 24: nil, 25: nil}
	statusFields    = message{1: nil, 10: nil, 11: resourceFields}
	podFields       = message{
		1: {1: nil, 2: nil, 3: nil, 4: nil, 5: nil, 6: nil, 7: nil, 8: nil, 9: nil, 10: nil, 11: nil, 12: nil, 13: nil, 14: nil}, // all but managedFields
		2: {1: nil, 2: containerFields, 7: nil, 10: nil, 11: nil, 18: nil, 19: nil, 20: containerFields, 22: nil, 24: nil, 25: nil, 31: nil, 32: nil, 33: nil,
			37: nil, 38: nil, 39: nil, 40: nil},
		3: {1: nil, 2: nil, 8: statusFields, 10: statusFields, 19: nil, 20: nil},
	}
	// envelopes are the messages around objects, by the kind that they name.
	envelopes = map[string]message{
		"Pod":     {1: nil, 2: podFields, 3: nil, 4: nil},
		"PodList": {1: nil, 2: {1: nil, 2: podFields}, 3: nil, 4: nil},
	}
)

// sparse is a serializer that decodes only what strip keeps of pods, which is a small part of what the API server sends.
type sparse struct{ runtime.NegotiatedSerializer }

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (s sparse) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return sparseDecoder{s.NegotiatedSerializer.DecoderToVersion(d, gv)}
}

type sparseDecoder struct{ runtime.Decoder }

// Decode implements runtime.Decoder.
func (d sparseDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return d.Decoder.Decode(reduced(data), defaults, into)
}

// prefix begins an object in protobuf.
var prefix = []byte("k8s\x00")

// reduced leaves out what strip would drop from pods in protobuf. Other data stays as it is, also data that cannot be read, for which the
// decoder has an error.
func reduced(data []byte) []byte {
	wrapped, ok := bytes.CutPrefix(data, prefix)
	if !ok {
		return data
	}
	envelope := envelopes[kindOf(wrapped)]
	if envelope == nil {
		return data
	}
	kept, ok := envelope.appendTo(append(make([]byte, 0, len(data)/2), prefix...), wrapped)
	if !ok {
		return data
	}
	return kept
}

// kindOf returns the kind that the message around an object names; empty: none.
func kindOf(wrapped []byte) string {
	return string(field(field(wrapped, 1), 2)) // TypeMeta.Kind
}

// field returns the value of a text or message; nil: there is none.
func field(text []byte, number protowire.Number) []byte {
	for len(text) > 0 {
		found, typ, n := protowire.ConsumeTag(text)
		if n < 0 {
			return nil
		}
		if found == number && typ == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(text[n:])
			return value
		}
		size := protowire.ConsumeFieldValue(found, typ, text[n:])
		if size < 0 {
			return nil
		}
		text = text[n+size:]
	}
	return nil
}

// appendTo appends the fields of a message that are decoded; false: it cannot be read.
func (m message) appendTo(kept, text []byte) ([]byte, bool) {
	for len(text) > 0 {
		number, typ, n := protowire.ConsumeTag(text)
		if n < 0 {
			return nil, false
		}
		size := protowire.ConsumeFieldValue(number, typ, text[n:])
		if size < 0 {
			return nil, false
		}
		inner, decoded := m[number]
		switch {
		case !decoded:
		case inner == nil || typ != protowire.BytesType:
			kept = append(kept, text[:n+size]...)
		default:
			value, _ := protowire.ConsumeBytes(text[n:])
			var ok bool
			if kept, ok = inner.appendField(append(kept, text[:n]...), value); !ok {
				return nil, false
			}
		}
		text = text[n+size:]
	}
	return kept, true
}

// appendField appends a message with its length, which is known only once its fields were looked at.
func (m message) appendField(kept, value []byte) ([]byte, bool) {
	start := len(kept)
	kept, ok := m.appendTo(kept, value)
	if !ok {
		return nil, false
	}
	length := len(kept) - start
	room := protowire.SizeVarint(uint64(length))
	kept = append(kept, make([]byte, room)...)
	copy(kept[start+room:], kept[start:start+length])
	protowire.AppendVarint(kept[:start], uint64(length))
	return kept, true
}
