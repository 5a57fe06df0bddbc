// What a policy declares, and how it fails.
import { Value } from "./parameters";
import { Text } from "./text";

export const OK: u32 = 0;
export const BAD_FRAME: u32 = 1; // the frame is of a version or shape that the module does not understand
export const BAD_CONFIG: u32 = 2; // the configuration cannot be used
export const CANNOT_SERVE: u32 = 3; // the module cannot answer

const MOST_ERROR = 255;

export const failure = memory.data(MOST_ERROR + 1, 1);
export let manifestText: ArrayBuffer | null = null;
export let onParameter: (name: Text, value: Value) => u32 = noParameter;
export let onText: (code: u32, text: Text) => void = noText;

function noParameter(_name: Text, _value: Value): u32 {
  return OK;
}

function noText(_code: u32, _text: Text): void {}

// Declares the manifest, JSON. Every module does it once, outside of any function.
export function manifest(json: string): void {
  manifestText = String.UTF8.encode(json, true);
}

// The minor version that "abi" in the manifest says; 0 where it says none, which the host refuses.
export function minorVersion(): u32 {
  const text = manifestText;
  if (text == null) return 0;
  const start = changetype<usize>(text), end = start + text.byteLength;
  let at = start;
  while (at + 5 < end && (load<u32>(at) != 0x69626122 || load<u8>(at, 4) != 0x22)) at++; // "abi"
  while (at < end && load<u8>(at) != 0x2e) at++; // the dot between major and minor
  let minor: u32 = 0;
  for (at++; at < end && load<u8>(at) - 0x30 < 10; at++) minor = minor * 10 + load<u8>(at) - 0x30;
  return minor;
}

// Names the function that is called once for each parameter, before anything else; it returns OK or the code of a
// failure. The host has checked type and range.
export function parameters(f: (name: Text, value: Value) => u32): void {
  onParameter = f;
}

// Names the function that is called once for each text that comes up, before the first frame with its code.
export function texts(f: (code: u32, text: Text) => void): void {
  onText = f;
}

// Keeps a text (ASCII) for the operator, and is the code.
export function fail(code: u32, text: string): u32 {
  const n = min(text.length, MOST_ERROR);
  for (let i = 0; i < n; i++) store<u8>(failure + i, <u8>text.charCodeAt(i));
  store<u8>(failure + n, 0);
  return code;
}
