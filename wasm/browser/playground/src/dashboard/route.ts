/** The view in the address, and what is picked in it: #/asks/k1. */

import { signal } from "@preact/signals";
import type { Picked } from "../why/around";

export const views = ["overview", "queues", "applications", "asks", "gangs", "nodes", "decisions", "timeline", "policies", "configuration"] as const;
export type View = (typeof views)[number];

export const viewNames: Readonly<Record<View, string>> = {
  overview: "Overview", queues: "Queues", applications: "Applications", asks: "Asks", gangs: "Gangs", nodes: "Nodes", decisions: "Decisions", timeline: "Time line",
  policies: "Policies", configuration: "Configuration",
};

export interface Place {
  readonly view: View;
  /** What is picked in the view; "": nothing. */
  readonly name: string;
  /** Filters that a link sets. */
  readonly filters: Readonly<Record<string, string>>;
}

export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\//, "").split("?");
  const [first = "", ...rest] = path.split("/");
  const view = views.find((one) => one === first) ?? "overview";
  return { view, name: decoded(rest.join("/")), filters: Object.fromEntries(new URLSearchParams(query)) };
}

/** A name that was written by hand may not be encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function addressOf(view: View, name = "", filters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(filters).toString();
  return `#/${view}${name === "" ? "" : `/${encodeURIComponent(name)}`}${query === "" ? "" : `?${query}`}`;
}

const viewOf: Readonly<Record<Picked["kind"], View>> = { queue: "queues", app: "applications", ask: "asks", node: "nodes" };

export function addressOfPicked({ kind, id }: Picked): string {
  return addressOf(viewOf[kind], id);
}

/** The name of a gang in an address: its application's and its own, which may hold any characters. */
export function gangName(app: string, gang: string): string {
  return `${encodeURIComponent(app)}/${encodeURIComponent(gang)}`;
}

export function gangOf(name: string): { readonly app: string; readonly gang: string } {
  const [app = "", gang = ""] = name.split("/");
  return { app: decoded(app), gang: decoded(gang) };
}

export const place = signal<Place>(placeOf(""));

/** Has the view follow the address from now on. */
export function followAddress(): void {
  const read = () => { place.value = placeOf(location.hash); };
  addEventListener("hashchange", read);
  read();
}

export function go(address: string): void {
  location.hash = address;
}
