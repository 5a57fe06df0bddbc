/** Where work is kept between visits: a database of the browser. Journals, which may be large, are apart from what changes often. */

import type { Configuration } from "../model/scenario";
import type { Snapshot } from "../state/snapshot";

/** What runs, without the moment. */
export type KeptRun = Pick<Snapshot, "run" | "header" | "lines" | "modules" | "grace" | "title" | "lesson" | "origin">;

/** The moment, and what is being written. */
export interface KeptPlace extends Pick<Snapshot, "run" | "title" | "now" | "seq" | "midway" | "speed" | "edits" | "savedEdits"> {
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
  /** The step of the lesson, from 0. */
  readonly step: number;
  /** Drafts that were changed. */
  readonly configuration?: Configuration;
  readonly feature?: { readonly name: string; readonly text: string };
  /** The source of the policy that is written. */
  readonly policy?: string;
}

export interface KeptWork {
  readonly run: KeptRun;
  readonly place: KeptPlace;
}

/** So many runs are kept, the latest ones. */
export const mostRuns = 8;

/** @throws where the browser keeps nothing for the page, or has no more room */
export class WorkStore {
  private readonly opened: Promise<IDBDatabase>;

  constructor(name = "quern") {
    this.opened = openDatabase(name);
    this.opened.catch(() => undefined); // each use tells
  }

  async put(place: KeptPlace, run?: KeptRun): Promise<void> {
    const transaction = (await this.opened).transaction(["runs", "places"], "readwrite");
    transaction.objectStore("places").put(place);
    if (run) transaction.objectStore("runs").put(run);
    await done(transaction);
    if (run) await this.prune();
  }

  async get(run: string): Promise<KeptWork | undefined> {
    const transaction = (await this.opened).transaction(["runs", "places"]);
    const [kept, place] = await Promise.all([answer<KeptRun>(transaction.objectStore("runs").get(run)), answer<KeptPlace>(transaction.objectStore("places").get(run))]);
    return kept && place && { run: kept, place };
  }

  /** The moments of all runs, the latest first. */
  async places(): Promise<readonly KeptPlace[]> {
    const all = await answer<KeptPlace[]>((await this.opened).transaction("places").objectStore("places").getAll());
    return (all ?? []).sort((a, b) => b.at - a.at);
  }

  async remove(...runs: readonly string[]): Promise<void> {
    const transaction = (await this.opened).transaction(["runs", "places"], "readwrite");
    for (const run of runs) for (const store of ["runs", "places"]) transaction.objectStore(store).delete(run);
    await done(transaction);
  }

  private async prune(): Promise<void> {
    const old = (await this.places()).slice(mostRuns);
    if (old.length > 0) await this.remove(...old.map(({ run }) => run));
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const store of ["runs", "places"]) request.result.createObjectStore(store, { keyPath: "run" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser stores no data for this page"));
  });
}

function answer<T>(request: IDBRequest): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T | undefined);
    request.onerror = () => reject(request.error ?? new Error("the browser does not answer"));
  });
}

function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("the browser stores no data for this page"));
  });
}
