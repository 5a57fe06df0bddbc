package recording

import (
	"iter"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
)

// message says which fields of a protobuf message are decoded. Their numbers are those of Kubernetes' generated.proto files, which never
// change.
type message struct {
	fields []*message              // by number; nil: that one is left out
	only   func(value []byte) bool // which messages of a list, or texts, are decoded; nil: all
}

// whole is a field that is decoded as it is.
var whole = &message{}

// The fields that strip keeps.
var (
	metadataFields  = &message{fields: []*message{1: whole, 3: whole, 5: whole, 8: whole, 9: whole, 11: whole, 12: {only: keepsAnnotationField}, 13: whole}}
	resourceFields  = &message{fields: []*message{2: whole}} // requests
	containerFields = &message{fields: []*message{1: whole, 6: whole, 8: resourceFields, 24: whole, 25: whole}}
	volumeFields    = &message{only: keepsVolumeField}
	specFields      = &message{fields: []*message{1: volumeFields, 2: containerFields, 5: whole, 7: whole, 11: whole, 18: whole, 19: whole, 20: containerFields,
		22: whole, 24: whole, 25: whole, 31: whole, 32: whole, 33: whole, 37: whole, 38: whole, 39: whole, 40: whole}} // without the node, which alone changes
	containerStatusFields = &message{fields: []*message{1: whole, 10: whole, 11: resourceFields}, only: isResized}
	statusFields          = &message{fields: []*message{1: {only: endsPod[[]byte]}, 2: {only: isResizeField}, 8: containerStatusFields, 10: containerStatusFields,
		19: whole, 20: whole}}
)

// nodeNameField is the number of spec.nodeName.
const nodeNameField = 10

// The numbers of the volume sources that nodefit.IsLocal names, and of claims.
var (
	localVolumes = []protowire.Number{1, 2, 6, 7, 16, 19, 26, 28, 30}
	claims       = []protowire.Number{10, 29}
)

func keepsAnnotationField(entry []byte) bool { return keepsAnnotation(string(field(entry, 1))) }

func keepsVolumeField(volume []byte) bool {
	source := field(volume, 2)
	return has(source, claims...) || !has(source, localVolumes...)
}

func isResizeField(condition []byte) bool {
	return isResize(corev1.PodConditionType(field(condition, 1)))
}

func isResized(status []byte) bool { return has(status, 10, 11) }

// field returns the value of the first text or message with a number; nil: there is none.
func field(text []byte, number protowire.Number) []byte {
	for value := range values(text, number) {
		return value
	}
	return nil
}

// has reports whether there is a text or message, which may be empty, with one of some numbers.
func has(text []byte, numbers ...protowire.Number) bool {
	for range values(text, numbers...) {
		return true
	}
	return false
}

// values are those of the texts and messages with some numbers, as far as a message can be read.
func values(text []byte, numbers ...protowire.Number) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			number, typ, n := protowire.ConsumeTag(text)
			if n < 0 {
				return
			}
			size := protowire.ConsumeFieldValue(number, typ, text[n:])
			if size < 0 {
				return
			}
			if typ == protowire.BytesType && slices.Contains(numbers, number) {
				if value, _ := protowire.ConsumeBytes(text[n:]); !yield(value) {
					return
				}
			}
			text = text[n+size:]
		}
	}
}

// readable reports whether a message consists of fields.
func readable(text []byte) bool {
	for len(text) > 0 {
		_, _, n := protowire.ConsumeField(text)
		if n < 0 {
			return false
		}
		text = text[n:]
	}
	return true
}

// appendTo appends the fields of a message that are decoded; false: it cannot be read.
func (m *message) appendTo(kept, text []byte) ([]byte, bool) {
	for len(text) > 0 {
		number, typ, n := protowire.ConsumeTag(text)
		if n < 0 {
			return nil, false
		}
		size := protowire.ConsumeFieldValue(number, typ, text[n:])
		if size < 0 {
			return nil, false
		}
		if int(number) < len(m.fields) && m.fields[number] != nil {
			var ok bool
			if kept, ok = m.fields[number].appendField(kept, text[:n+size], n, typ); !ok {
				return nil, false
			}
		}
		text = text[n+size:]
	}
	return kept, true
}

// appendField appends a field, whose value begins after its tag, with what is decoded of it.
func (m *message) appendField(kept, text []byte, tag int, typ protowire.Type) ([]byte, bool) {
	if m == whole || typ != protowire.BytesType {
		return append(kept, text...), true
	}
	value, _ := protowire.ConsumeBytes(text[tag:])
	if m.only != nil && !m.only(value) {
		return kept, true
	}
	if m.fields == nil {
		return append(kept, text...), true
	}
	return m.appendMessage(append(kept, text[:tag]...), value)
}

// appendMessage appends a message with its length, which is known only once its fields were looked at.
func (m *message) appendMessage(kept, value []byte) ([]byte, bool) {
	start := len(kept)
	kept, ok := m.appendTo(kept, value)
	if !ok {
		return nil, false
	}
	length := len(kept) - start
	room := protowire.SizeVarint(uint64(length))
	for range room {
		kept = append(kept, 0)
	}
	copy(kept[start+room:], kept[start:start+length])
	protowire.AppendVarint(kept[:start], uint64(length))
	return kept, true
}
