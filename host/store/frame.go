package store

import (
	"encoding/binary"
	"hash/crc32"
)

// Position says how far the record goes with a batch.
type Position struct {
	Batch    uint64 // number of the batch, from 1
	Decision uint64 // seq of the last decision in it or before it
	At       int64  // its time, in nanoseconds since the Unix epoch
}

// MaxBatch bounds the payload of a batch, in bytes.
const MaxBatch = 1 << 30

const (
	frameHeader = 40 // length, checksum of the header, batch, decision, time, checksum of the payload, headerMark
	headerMark  = 0x51515151
	endMark     = 0x51
	sector      = 512 // what a disk writes as a whole
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frameSize is how many bytes a payload takes with everything around it.
func frameSize(payload int64) int64 { return (frameHeader + payload + 1 + 7) &^ 7 }

// appendFrame appends the frame of a payload to a buffer.
func appendFrame(b []byte, p Position, payload []byte) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, p.Batch)
	b = binary.LittleEndian.AppendUint64(b, p.Decision)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.At))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	b = binary.LittleEndian.AppendUint32(b, headerMark)
	binary.LittleEndian.PutUint32(b[start+4:], headerChecksum(b[start:]))
	b = append(b, payload...)
	b = append(b, endMark)
	for (len(b)-start)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// frame is the header of a frame as read.
type frame struct {
	Position
	length   int64
	checksum uint32
}

// readHeader decodes a header; false: the bytes are none.
func readHeader(b []byte) (f frame, ok bool) {
	f.length = int64(binary.LittleEndian.Uint32(b))
	f.Batch = binary.LittleEndian.Uint64(b[8:])
	f.Decision = binary.LittleEndian.Uint64(b[16:])
	f.At = int64(binary.LittleEndian.Uint64(b[24:]))
	f.checksum = binary.LittleEndian.Uint32(b[32:])
	return f, f.length > 0 && f.length <= MaxBatch && headerChecksum(b) == binary.LittleEndian.Uint32(b[4:])
}

// headerChecksum covers a header except the place of this checksum.
func headerChecksum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:4], castagnoli), castagnoli, b[8:frameHeader])
}

// tornHeader reports whether bytes that are no header may be a part of one.
func tornHeader(b []byte, offset int64) bool {
	return len(b) < frameHeader || b[frameHeader-1] == 0 || hasZeroSector(b, offset)
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
