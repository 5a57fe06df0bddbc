/** What the page that opened this one hands it: the dashboard of a live scheduler, its cluster as it is. */

import type { Scenario } from "../model/scenario";
import { actions } from "../state/run";
import { fromFile } from "./journal";

const parameter = "handed";
/** How long the other page may take, in milliseconds: it reads the cluster from its host first. */
const patience = 60_000;

interface Handed {
  readonly quern: "handed";
  readonly name: string;
  readonly journal: string;
}

/** The scenario that is handed over; undefined: the address asks for none, or none came, which the page then says. */
export async function fromOpener(hash: string): Promise<Scenario | undefined> {
  if (!new URLSearchParams(hash.slice(1)).has(parameter)) return undefined;
  const opener = window.opener as Window | null;
  const handed = opener ? await message(opener) : undefined;
  if (handed) return { ...fromFile(handed.name, handed.journal), title: `${handed.name}, as it was at ${new Date().toLocaleTimeString("en-GB")}` };
  actions.say("error", opener ? "The page that opened this one has passed no cluster." : "This address opens a cluster from another page, and no page has opened this one.");
  return undefined;
}

/** Tells the page that opened this one that it takes longer until it can be handed something. */
export function tellOpenerToWait(): void {
  if (new URLSearchParams(location.hash.slice(1)).has(parameter)) (window.opener as Window | null)?.postMessage("quern-waits", location.origin);
}

/** Asks a page of the same origin, and waits for its answer. */
function message(from: Window): Promise<Handed | undefined> {
  return new Promise((resolve) => {
    const end = (handed: Handed | undefined): void => {
      clearTimeout(timer);
      removeEventListener("message", hear);
      resolve(handed);
    };
    const hear = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source === from && origin === location.origin && isHanded(data)) end(data);
    };
    const timer = setTimeout(() => { end(undefined); }, patience);
    addEventListener("message", hear);
    from.postMessage("quern-ready", location.origin);
  });
}

function isHanded(data: unknown): data is Handed {
  const { quern, name, journal } = (typeof data === "object" && data !== null ? data : {}) as Partial<Record<keyof Handed, unknown>>;
  return quern === "handed" && typeof name === "string" && typeof journal === "string";
}
