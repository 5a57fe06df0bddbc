// What a policy module of Quern written in AssemblyScript is made of:
//
//   import { Frame, manifest } from "quern";
//   export * from "quern/module";
//
//   manifest(`{"name":"biggest","version":"1.0.0","abi":"1.0","points":
//     {"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}`);
//
//   export function node_score(at: usize): u32 {
//     const frame = Frame.open(at, 1);
//     if (frame == null) return BAD_FRAME;
//     const free = frame.column(0);
//     for (let i: u32 = 0; i < frame.asked; i++) {
//       const row = frame.row(i);
//       frame.answer(row, 0, free.at(row));
//     }
//     return OK;
//   }
//
// asc --runtime stub --use abort= --exportStart _initialize: nothing is ever freed, so points must not allocate.
export { Column, Frame } from "./frame";
export { WeightedMean } from "./mean";
export { Text } from "./text";
export { Items, Value } from "./parameters";
export { BAD_CONFIG, BAD_FRAME, CANNOT_SERVE, OK, fail, manifest, parameters, texts } from "./policy";
