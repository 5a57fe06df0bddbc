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
//	acknowledged               how far the record was acknowledged, and where it begins, in two places that are written in turn
//	LOCK                       locked by the process that writes, with its pid
//
// A frame is one batch: its length, a checksum, its Position, the last batch that was acknowledged, the hash of the batch before, the payload, a
// mark that is not zero, and zeros up to a multiple of 8 bytes. The header of a segment has the hash of the batch before it, that of a
// snapshot the hash of its last batch. A frame of length 0 is the end. All numbers are little endian, checksums are CRC-32C. Version 1 had
// neither hashes nor the file acknowledged; such segments are read, and the next one is of the present version.
//
// # What holds
//
//   - Append returns when its batch is durable. Nothing that Append refused is read back before Reopen.
//   - Batches are numbered from 1 without gaps, and each follows the one before by its hash. The first batch of a segment ends the segment
//     before it: what stands there under the same number or a later one was never acknowledged.
//   - Only the last batch of the last segment may be torn, since a batch is written when the one before it is durable. Space is
//     zero before it is written, so a torn batch lacks its end mark or has a sector of zeros, and behind it all is zero. It is cut off.
//   - A batch that was acknowledged and is not there stops opening. Shown to be acknowledged are all batches before another batch or segment,
//     in a snapshot, and up to the one that the file acknowledged names. That is written after each batch, so that a killed process leaves it
//     exact, and synced by SyncAcknowledged, so that a power failure leaves it as old as the last call.
//   - A batch that is complete and whose checksum is wrong is damage, and opening fails. What is damaged behind the newest snapshot is for
//     CheckOlder.
//   - A snapshot is renamed into place when it is durable. One that cannot be read is passed over for the one before.
package store
