/** The modules that the site carries: policies/index.json lists them, policies/NAME.wasm.gz are the files. */

import { signal } from "@preact/signals";
import { actions } from "../state/run";
import { examine } from "./library";

interface Shipped {
  readonly name: string;
  readonly language: string;
  readonly points: readonly string[];
  readonly summary: string;
  /** Of the module, not packed. */
  readonly bytes: number;
}

/** Undefined: not fetched yet. Empty: the site carries none. */
export const shipped = signal<readonly Shipped[] | undefined>(undefined);

const folder = new URL("policies/", document.baseURI);

/** Fetches the list, once. */
export async function fetchShipped(): Promise<void> {
  if (shipped.value) return;
  try {
    const response = await fetch(new URL("index.json", folder));
    shipped.value = response.ok ? ((await response.json()) as Shipped[]) : [];
  } catch {
    shipped.value = []; // no server, or another answer in the place of a list: there are none to choose from
  }
}

/** Examines a module of the site. */
export async function examineShipped(name: string): Promise<void> {
  try {
    const response = await fetch(new URL(`${name}.wasm.gz`, folder));
    if (!response.ok) throw new Error(`the site answered ${response.status}`);
    await examine(new File([await unpacked(await response.blob())], `${name}.wasm`));
  } catch (thrown) {
    actions.say("error", `${name} could not be fetched: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Some servers unpack .gz files on the way. */
async function unpacked(file: Blob): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b ? new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
}
