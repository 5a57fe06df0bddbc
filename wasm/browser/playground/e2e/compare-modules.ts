/** Policy modules for the tests: the one that is committed, and hand-made bytes. */

import { readFileSync } from "node:fs";

/** A module that passes, as a dropped file. */
export function goodModule() {
  return file("tetris.wasm", readFileSync("../../../plugins/binpack-tetris/binpack-tetris.wasm"));
}

/** The same, cut in the middle of its code. */
export function cutModule() {
  return file("cut.wasm", goodModule().buffer.subarray(0, 4000));
}

/** A module that scores nodes, and never comes to an end. */
export function endlessModule() {
  return handMade("endless", [0x03, 0x40, 0x0c, 0, end, 0x00, end]);
}

/** One that uses an instruction of threads. */
export function forbiddenModule() {
  return handMade("forbidden", [0xfe, 0x03, 0, 0x41, 0, end]);
}

/** A module that scores nodes with these instructions. */
function handMade(name: string, score: readonly number[]) {
  const manifest = `{"name":"${name}","version":"1.0.0","abi":"1.0","points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}\0`;
  const functions = [["quern_abi", []], ["quern_manifest", []], ["quern_reserve", [i32]], ["quern_configure", [i32, i32]], ["node_score", [i32]]] as const;
  const abi = [0x41, ...signed(1 << 16), end];
  const nowhere = [0x41, 0, end];
  const arena = [0x41, ...signed(1 << 16), end];
  const bytes = [
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, list(functions.map(([, parameters]) => [0x60, ...list(parameters.map((one) => [one])), 1, i32]))),
    ...section(3, list(functions.map((_, i) => [i]))),
    ...section(5, list([[0, 4]])),
    ...section(7, list([[...text("memory"), 2, 0], ...functions.map(([exported], i) => [...text(exported), 0, i])])),
    ...section(10, list([abi, nowhere, arena, nowhere, score].map((code) => sized([0, ...code])))),
    ...section(11, list([[0, 0x41, 0, end, ...text(manifest)]])),
  ];
  return file(`${name}.wasm`, Buffer.from(bytes));
}

const i32 = 0x7f;
const end = 0x0b;

function file(name: string, buffer: Buffer) {
  return { name, mimeType: "application/wasm", buffer };
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function text(of: string): number[] {
  return sized([...Buffer.from(of)]);
}

function unsigned(n: number): number[] {
  return n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...unsigned(n >>> 7)];
}

/** Of a positive number: its last group keeps the sign bit clear. */
function signed(n: number): number[] {
  return n < 0x40 ? [n] : [(n & 0x7f) | 0x80, ...signed(n >>> 7)];
}
