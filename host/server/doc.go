// Package server is the loop of the live scheduler. One goroutine owns a core.Scheduler: it writes inputs to a record, lets the scheduler decide, writes
// the decisions, and only then answers.
//
// # A round
//
//  1. Serve the deadlines that have passed, each at its own time.
//  2. Take the requests that wait, and stamp their inputs with one time, later than every time before.
//  3. Append one batch: what was decided since the last one, and the inputs. It is durable when Append returns.
//  4. Publish those decisions and answer the requests that they belong to.
//  5. Advance to the time, apply the inputs, and cycle until nothing more can be placed.
//
// The decisions of a round are durable with the next batch. Where no request waits, that follows at once and has no inputs. So a busy
// loop syncs once a round, and while it syncs, the requests of the next round gather.
//
// # The view
//
// After a batch is durable, the loop hands it to the view: its lines, its inputs, and the steps in which its decisions were made. The view
// publishes the decisions, shows the steps to watchers, and keeps what a host remembers beside the scheduler: idempotency keys, configurations,
// modules, resource managers. Its scheduler, the replica, decides the inputs again only when a reader comes, or takes a version of the loop's.
//
//  1. Readers see nothing that is not durable, and never an earlier state than before.
//  2. The loop does not wait for the view.
//  3. What a reader sees is the state at the end of the last published batch, with all watchers at the same place.
//  4. A difference between the replica and the record ends the server.
//
// # The record
//
// The payload of a batch is lines of the journal's canonical form, with times in RFC 3339. An input begins with {"at", a decision with
// {"seq". A line that begins with {"request" names an idempotency key and the inputs that it came with, one that begins with {"by" the
// user who sent inputs.
//
// Recovery restores the newest snapshot and replays the inputs that follow. The answers of policies that are no pure functions come from
// the record. The decisions must equal those in the record: a release that decides otherwise refuses to start.
package server
