/** The modules that the site carries: policies/index.json lists them, policies/NAME.wasm are the files. */

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
/** Why the list could not be fetched; empty: nothing failed. */
export const unfetched = signal("");

const folder = new URL("policies/", document.baseURI);

/** Fetches the list, once. */
export async function fetchShipped(): Promise<void> {
  if (shipped.value) return;
  unfetched.value = "";
  try {
    const response = await fetch(new URL("index.json", folder));
    if (response.status === 404) shipped.value = [];
    else if (response.ok) shipped.value = (await response.json()) as Shipped[];
    else unfetched.value = `The site answered ${response.status}.`;
  } catch {
    unfetched.value = "The site cannot be reached, or sent something else.";
  }
}

/** Examines a module of the site. */
export async function examineShipped(name: string): Promise<void> {
  try {
    const response = await fetch(new URL(`${name}.wasm`, folder));
    if (!response.ok) throw new Error(`the site answered ${response.status}`);
    await examine(new File([await response.blob()], `${name}.wasm`));
  } catch (thrown) {
    actions.say("error", `${name} could not be fetched: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
