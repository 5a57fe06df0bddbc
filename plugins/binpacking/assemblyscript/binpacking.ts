// The most utilised node first, so that others stay empty. It decides as the scheduler's own binpacking order does.
import { BAD_FRAME, Frame, OK, Text, Value, WeightedMean, manifest, parameters, texts } from "quern";
export * from "quern/module";

manifest(`{
  "name": "binpacking-assemblyscript",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "The most utilised node first",
  "parameters": {
    "weights": {
      "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
      "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
    }
  },
  "points": {"node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
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
    frame.answer(row, 0, used.at(row));
  }
  return OK;
}
