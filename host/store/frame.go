package store

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
)

// Hash identifies a batch and all before it: it is the beginning of the SHA-256 of the header of the batch's frame, which has the checksum of
// the payload and the hash of the batch before. The zero value means that the hash is not known.
type Hash [16]byte

// Position says how far the record goes with a batch.
type Position struct {
	Batch    uint64 // number of the batch, from 1
	Decision uint64 // seq of the last decision in it or before it
	At       int64  // its time, in nanoseconds since the Unix epoch
	Hash     Hash   // of the batch
}

// MaxBatch bounds the payload of a batch, in bytes.
const MaxBatch = 1 << 30

const (
	headerMark = 0x51515151
	endMark    = 0x51
	sector     = 512 // what a disk writes as a whole
)

// layout has the lengths that differ between versions of the format.
type layout struct {
	version uint32
	segment int64 // header of a segment: magic, version, its complement (zero in version 1), first batch, hash of the batch before it (from version 2), checksum, zero
	frame   int64 // header of a frame: length, checksum of the header, batch, decision, time, and, from version 2, the last batch that was acknowledged and the hash of the batch before; checksum of the payload, headerMark
}

// layouts are those of all versions; the last one is written.
var layouts = []layout{{1, 32, 40}, {2, 64, 64}}

// present is the layout that is written.
var present = layouts[len(layouts)-1]

// layoutOf is the layout of a version; false: it is not known here.
func layoutOf(version uint32) (layout, bool) {
	if version < 1 || int(version) > len(layouts) {
		return layout{}, false
	}
	return layouts[version-1], true
}

// versionIn reads the version in the prelude of a file; false: these bytes are none. The complement beside it tells a version that is not known
// here from one that is damaged.
func versionIn(b []byte) (version uint32, ok bool) {
	version = binary.LittleEndian.Uint32(b[8:])
	complement := binary.LittleEndian.Uint32(b[12:])
	return version, version == 1 && complement == 0 || version > 1 && complement == ^version
}

// chained reports whether batches carry the hash of the batch before.
func (l layout) chained() bool { return l.version >= 2 }

// size is how many bytes a payload takes with everything around it.
func (l layout) size(payload int64) int64 { return (l.frame + payload + 1 + 7) &^ 7 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends the frame of a payload to a buffer, behind another batch, which was acknowledged. It returns the hash, too.
func appendFrame(b []byte, p, after Position, payload []byte) ([]byte, Hash) {
	start := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, p.Batch)
	b = binary.LittleEndian.AppendUint64(b, p.Decision)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.At))
	b = binary.LittleEndian.AppendUint64(b, after.Batch)
	b = append(b, after.Hash[:]...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	b = binary.LittleEndian.AppendUint32(b, headerMark)
	binary.LittleEndian.PutUint32(b[start+4:], headerChecksum(b[start:]))
	hash := hashOf(b[start:])
	b = append(b, payload...)
	b = append(b, endMark)
	for (len(b)-start)%8 != 0 {
		b = append(b, 0)
	}
	return b, hash
}

// hashOf is the hash of a batch whose frame has a header.
func hashOf(header []byte) (h Hash) {
	sum := sha256.Sum256(header)
	copy(h[:], sum[:])
	return h
}

// frame is the header of a frame as read.
type frame struct {
	Position
	length       int64
	checksum     uint32
	acknowledged uint64 // the last batch that was acknowledged when this one was written
	before       Hash   // of the batch before
}

// read decodes a header; false: the bytes are none.
func (l layout) read(b []byte) (f frame, ok bool) {
	if int64(len(b)) < l.frame {
		return f, false
	}
	b = b[:l.frame]
	f.length = int64(binary.LittleEndian.Uint32(b))
	if f.length == 0 || f.length > MaxBatch || headerChecksum(b) != binary.LittleEndian.Uint32(b[4:]) {
		return frame{}, false
	}
	f.Batch = binary.LittleEndian.Uint64(b[8:])
	f.Decision = binary.LittleEndian.Uint64(b[16:])
	f.At = int64(binary.LittleEndian.Uint64(b[24:]))
	f.acknowledged = f.Batch - 1
	if l.chained() {
		f.acknowledged = binary.LittleEndian.Uint64(b[32:])
		copy(f.before[:], b[40:])
	}
	f.checksum = binary.LittleEndian.Uint32(b[l.frame-8:])
	f.Hash = hashOf(b)
	return f, true
}

// follows reports whether a batch is the one behind another: its number is the next, and the hashes that are known agree.
func (f *frame) follows(after Position) bool {
	return f.Batch == after.Batch+1 && agree(f.before, after.Hash)
}

// agree reports whether two hashes are equal, as far as they are known.
func agree(a, b Hash) bool { return a == b || a == Hash{} || b == Hash{} }

// headerChecksum covers a header except the place of this checksum.
func headerChecksum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:4], castagnoli), castagnoli, b[8:])
}

// tornHeader reports whether bytes that are no header may be a part of one.
func (l layout) tornHeader(b []byte, offset int64) bool {
	return int64(len(b)) < l.frame || b[l.frame-1] == 0 || hasZeroSector(b, offset)
}

// hasZeroSector reports whether a sector, or the part of one that the bytes at an offset reach into, is zero.
func hasZeroSector(b []byte, offset int64) bool {
	for len(b) > 0 {
		n := min(int64(len(b)), sector-offset%sector)
		if isZero(b[:n]) {
			return true
		}
		b, offset = b[n:], offset+n
	}
	return false
}

func isZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}
