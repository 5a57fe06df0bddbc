/**
 * The fragment of the address: what runs, as far as an address can name it (lesson=NAME with step=N, s=…, given, handed), or the view
 * (/configure), and what is selected (queue=root.a, decision=17). share/link.ts reads what runs.
 */

import { views, type Selection, type View } from "../state/store";

const kinds = ["queue", "app", "ask", "node", "decision"] as const;

/** What an address selects. A decision is named by its number. */
export interface Named {
  readonly kind: Selection["kind"];
  readonly id: string;
}

export interface Address {
  readonly view: View;
  /** A view that it names and that does not exist. */
  readonly unknownView?: string;
  /** What it says of what runs; "": nothing. */
  readonly origin: string;
  readonly lesson?: string;
  /** From 1. */
  readonly step?: number;
  readonly picked?: Named;
}

/** Reads a fragment, with or without its #. */
export function readAddress(hash: string): Address {
  const text = hash.replace(/^#/, "");
  const [path = "", query = ""] = text.startsWith("/") ? text.slice(1).split("?", 2) : ["", text];
  const parameters = new URLSearchParams(query);
  const view = views.find((name) => name === path);
  const kind = kinds.find((name) => parameters.get(name));
  const step = parameters.get("step");
  const lesson = parameters.get("lesson");
  return {
    view: view ?? "cluster",
    ...(path !== "" && view === undefined && { unknownView: path }),
    origin: originOf(parameters),
    ...(lesson !== null && { lesson }),
    ...(step !== null && { step: Number(step) }),
    ...(kind && { picked: { kind, id: parameters.get(kind) ?? "" } }),
  };
}

function originOf(parameters: URLSearchParams): string {
  for (const name of ["s", "lesson"]) {
    const value = parameters.get(name);
    if (value !== null) return `${name}=${value}`;
  }
  return ["given", "handed"].find((name) => parameters.has(name)) ?? "";
}

/** Writes a fragment, with its #. A step is written from the second on. */
export function writeAddress({ view, origin, step = 1, picked }: Omit<Address, "lesson" | "unknownView">): string {
  if (view !== "cluster") return `#/${view}`;
  const parts = [...(origin === "" ? [] : [origin]), ...(origin.startsWith("lesson=") && step > 1 ? [`step=${step}`] : [])];
  const rest = pickedParameter(picked);
  if (parts.length === 0) return rest === "" ? "#/cluster" : `#/cluster?${rest.slice(1)}`;
  return `#${parts.join("&")}${rest}`;
}

/** "&ask=web-1"; empty: nothing is selected. */
export function pickedParameter(picked: Named | Selection | undefined): string {
  return picked ? `&${picked.kind}=${readable(picked.id)}` : "";
}

/** Names of queues and partitions stay readable. */
function readable(id: string): string {
  return encodeURIComponent(id).replace(/%(2F|3A|40|5B|5D)/g, (code) => decodeURIComponent(code));
}
