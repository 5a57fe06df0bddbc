/**
 * The service worker, with which the page opens without a network after the first visit. A new version is fetched beside the
 * one that runs, and takes over when the user asks for it or the last page of the old one is closed.
 *
 * `internal/cmd/pack` writes the list of files before it, so that this script changes whenever a file does. It is a classic
 * script: what it imports may be imported by nothing else, or the build would put it into a file of its own.
 */

import { answer, drop, keep, keepUsed, nameOf, type Files } from "./files";

declare const self: ServiceWorkerGlobalScope & { readonly quernFiles?: Files };

const files = self.quernFiles ?? {};
const site = self.registration.scope;
const cache = (): Promise<Cache> => caches.open(`quern ${new URL(site).pathname}`);

self.addEventListener("install", (event) => {
  event.waitUntil(cache().then((opened) => keep(opened, files, site, fetch)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(cache().then((opened) => drop(opened, files, site)).then(() => self.clients.claim()));
});

/** The page tells that it has time for what was not kept yet, or that it wants the new version. */
self.addEventListener("message", (event) => {
  if (event.data !== "keep all") void self.skipWaiting();
  else event.waitUntil(cache().then((opened) => keep(opened, files, site, fetch, true)).catch(() => undefined)); // without a network, the next visit asks again
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const name = nameOf(url, site);
  if (method !== "GET" || name === undefined || !(name in files)) return;
  event.respondWith(cache().then((opened) => answer(opened, files, site, url)).then(async (kept) => {
    if (kept) return kept;
    const response = await fetch(event.request);
    const copy = response.clone();
    event.waitUntil(cache().then((opened) => keepUsed(opened, files, site, name, copy)));
    return response;
  }));
});
