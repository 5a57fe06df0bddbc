/** Keeps the page for visits without a network, and tells of a new version of it. */

import "./version.css";
import { signal } from "@preact/signals";
import { Button } from "../ui/button";

/** Goes on to the new version; undefined: there is none. */
const next = signal<(() => void) | undefined>(undefined);

/** Registers the service worker, in a browser that has them and a place that allows them (HTTPS, or this machine). */
export async function keepForOffline(workers = offered(), reload: () => void = () => { location.reload(); }, idle = whenIdle): Promise<void> {
  if (!workers) return;
  try {
    const registration = await workers.register("./offline.js", { updateViaCache: "none" });
    follow(workers, registration, reload);
    keepAll(workers, idle);
  } catch {
    // Without it the page is as it was: it needs the network.
  }
}

function offered(): ServiceWorkerContainer | undefined {
  return "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
}

/** What a page may take its time for, in milliseconds: first it is to open. */
const settled = 5_000;

/** Calls when the page has opened and has nothing to do. */
function whenIdle(call: () => void): void {
  setTimeout(() => {
    if ("requestIdleCallback" in window) requestIdleCallback(call, { timeout: 60_000 });
    else call();
  }, settled);
}

/** Has the worker keep what few visits need, too, so that no view needs the network; not where the user saves data. */
function keepAll(workers: ServiceWorkerContainer, idle: (call: () => void) => void): void {
  if ((navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData) return;
  const ask = (): void => { idle(() => workers.controller?.postMessage("keep all")); };
  if (workers.controller) ask();
  else workers.addEventListener("controllerchange", ask, { once: true });
}

function follow(workers: ServiceWorkerContainer, registration: ServiceWorkerRegistration, reload: () => void): void {
  let asked = false;
  const tell = (waiting: ServiceWorker): void => {
    next.value = () => {
      asked = true;
      waiting.postMessage("take over");
    };
  };
  const watch = (installing: ServiceWorker | null): void => {
    // Where no version runs yet there is nothing that a first one could replace.
    installing?.addEventListener("statechange", () => { if (installing.state === "installed" && workers.controller) tell(installing); });
  };
  if (registration.waiting && workers.controller) tell(registration.waiting);
  watch(registration.installing);
  registration.addEventListener("updatefound", () => { watch(registration.installing); });
  let controlled = workers.controller !== null;
  workers.addEventListener("controllerchange", () => {
    if (asked) reload();
    else if (controlled) next.value = reload; // it was loaded in another tab
    controlled = true;
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) registration.update().catch(() => undefined); });
}

/** Tells of a new version, until it is loaded or put off. */
export function NewVersion() {
  const load = next.value;
  return (
    <div class="version" role="status">
      {load && (
        <p>
          A new version of the playground is available.
          <Button kind="primary" onClick={load}>Load it</Button>
          <Button onClick={() => (next.value = undefined)}>Later</Button>
        </p>
      )}
    </div>
  );
}
