// Package store keeps the record of a live scheduler on disk: batches of inputs, answers and decisions in order, and
// snapshots of the state from which recovery goes on.
//
// # On disk
//
// A folder holds segments, named by the number of their first batch, and snapshots, named by the last batch that they
// contain:
//
//	00000000000000000001.log   a segment: a header, then frames, then zeros up to its preallocated size
//	00000000000000004711.snap  a snapshot: a header, then the compressed state
//	LOCK                       locked by the process that writes, with its pid
//
// A frame is one batch: its length, a checksum, its Position, the payload, a mark that is not zero, and zeros up to a multiple
// of 8 bytes. A frame of length 0 is the end. All numbers are little endian, checksums are CRC-32C.
//
// # What holds
//
//   - Append returns when its batch is durable. Nothing that Append refused is read back before Reopen.
//   - Batches are numbered from 1 without gaps. The first batch of a segment ends the segment before it: what stands there
//     under the same number or a later one was never acknowledged.
//   - Only the last batch of the last segment may be torn, since a batch is written when the one before it is durable. Space is
//     zero before it is written, so a torn batch lacks its end mark or has a sector of zeros. It is cut off. A batch that is
//     complete and whose checksum is wrong is damage, and opening fails.
//   - A snapshot is renamed into place when it is durable. One that cannot be read is passed over for the one before.
package store
