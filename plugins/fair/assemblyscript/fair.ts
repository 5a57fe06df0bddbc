// Least used first: queues and applications by their shares, nodes by their utilisation. It decides as the scheduler's
// own fair orders do.
import { BAD_FRAME, Frame, OK, Text, Value, WeightedMean, manifest, parameters, texts } from "quern";
export * from "quern/module";

manifest(`{
  "name": "fair-assemblyscript",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "Least used first: queues and applications by their shares, nodes by their utilisation",
  "parameters": {
    "weights": {
      "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
      "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
    }
  },
  "points": {
    "node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "fair"},
    "app.order": {
      "columns": ["top_share:1", "top_share:2", "top_share:3", "top_share:4",
                  "top_share:5", "top_share:6", "top_share:7", "top_share:8"],
      "keys": 8, "depends": "row", "fallback": "fair"
    },
    "queue.order": {"columns": ["fair_share", "pending_share"], "keys": 2, "depends": "row", "fallback": "fair"}
  }
}`);

const used = new WeightedMean();

parameters((name: Text, value: Value): u32 => (name.is("weights") ? used.configure(value) : OK));
texts((code: u32, text: Text): void => used.text(code, text));

export function node_score(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  used.open(frame, 0);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, -used.at(row));
  }
  return OK;
}

// The largest share first, then the next.
export function app_order(at: usize): u32 {
  const frame = Frame.open(at, 8);
  if (frame == null) return BAD_FRAME;
  for (let j: u32 = 0; j < 8; j++) {
    const share = frame.column(j);
    for (let i: u32 = 0; i < frame.asked; i++) {
      const row = frame.row(i);
      frame.answer(row, j, share.at(row));
    }
  }
  return OK;
}

// The least used first, and of equals the one with more pending.
export function queue_order(at: usize): u32 {
  const frame = Frame.open(at, 2);
  if (frame == null) return BAD_FRAME;
  const share = frame.column(0), pending = frame.column(1);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, share.at(row));
    frame.answer(row, 1, -pending.at(row));
  }
  return OK;
}
