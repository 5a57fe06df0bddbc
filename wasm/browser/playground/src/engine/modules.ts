/**
 * What is known of a policy module that was loaded: Loaded.report and Loaded.manifest, which the core passes on as they are
 * (wasm/browser/hostmodules/report.go, sdk/abi/manifest.schema.json).
 */

/** What the gate and the trial found. */
export interface GateReport {
  bytes: number;
  codeBytes: number;
  dataBytes?: number;
  functions: number; // that the module defines
  memory?: { min: number; max: number }; // in pages of 64 KiB, as bounded
  imports?: { module: string; name: string; signature: string }[];
  exports?: { name: string; kind: "function" | "table" | "memory" | "global"; signature?: string }[];
  features?: string[]; // beyond the first version of WebAssembly
  start?: boolean; // it has a start function
  fuel: Record<string, number>; // that a call about one item took, by point
}

/** What a module declares about itself. */
export interface ModuleManifest {
  name: string;
  version: string;
  abi: string;
  description?: string;
  parameters?: Record<string, ModuleParameter>;
  points: Record<string, { columns: string[]; keys: number; depends: "row" | "siblings" | "ask"; fallback?: string }>;
}

/** Something that an operator may set. */
export interface ModuleParameter {
  type: "number" | "integer" | "boolean" | "text" | "numbers" | "weights";
  default: unknown; // of that type
  min?: number;
  max?: number;
  values?: string[]; // of a text: what it may be
  description?: string;
}
