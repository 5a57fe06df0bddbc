/** The files of the site as the service worker keeps them: each under the hash of its bytes, so that a new version fetches only what has changed. */

/** The hash of each file of the site, by its path. */
export type Files = Readonly<Record<string, string>>;

const first = "index.html";

/** Files below this folder are large, and many visits need none of them: they are kept when one of them was used, or when the page is idle. */
const later = "later/";

/** Under what a file is kept, relative to the site. */
export function keyOf(name: string, hash: string): string {
  return `${name}?${hash}`;
}

/** The path of a file in the site; undefined: the address is elsewhere. */
export function nameOf(address: string, site: string): string | undefined {
  const { origin, pathname } = new URL(address);
  const base = new URL(site);
  if (origin !== base.origin || !pathname.startsWith(base.pathname)) return undefined;
  return decodeURIComponent(pathname.slice(base.pathname.length)) || first;
}

/** What is kept ahead of its use: all, but of the files that are kept later none before one was used, of this version or the one before. */
async function ahead(cache: Cache, files: Files, site: string): Promise<[name: string, hash: string][]> {
  const used = (await cache.keys()).some(({ url }) => nameOf(url, site)?.startsWith(later));
  return Object.entries(files).filter(([name]) => used || !name.startsWith(later));
}

/** Fetches what the cache does not have, except what is kept later, or that as well (all). Where a file cannot be had, or is of another version, all is refused: the browser tries again later. */
export async function keep(cache: Cache, files: Files, site: string, load: typeof fetch, all = false): Promise<void> {
  await Promise.all((all ? Object.entries(files) : await ahead(cache, files, site)).map(async ([name, hash]) => {
    const key = new URL(keyOf(name, hash), site).href;
    if (await cache.match(key)) return;
    // By its name a server may redirect to the folder, and a browser takes no redirected answer for a page.
    const response = await load(new URL(name === first ? "" : name, site).href, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${name}: expected a file, found the answer ${String(response.status)}`);
    const found = await hashOf(await response.clone().arrayBuffer(), name);
    if (found !== undefined && found !== hash) throw new Error(`${name}: expected the version ${hash}, found ${found}`);
    await cache.put(key, response);
  }));
}

/** The first 24 digits of the SHA-256; undefined: the server has decompressed a file, which then has no hash that is known. */
async function hashOf(bytes: ArrayBuffer, name: string): Promise<string | undefined> {
  const [one, two] = new Uint8Array(bytes);
  if (name.endsWith(".gz") && (one !== 0x1f || two !== 0x8b)) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps a file that is kept later, once it was fetched. */
export async function keepUsed(cache: Cache, files: Files, site: string, name: string, response: Response): Promise<void> {
  const hash = files[name];
  if (!name.startsWith(later) || hash === undefined || !response.ok) return;
  const found = await hashOf(await response.clone().arrayBuffer(), name);
  if (found === undefined || found === hash) await cache.put(new URL(keyOf(name, hash), site).href, response);
}

/** Drops what no file of this version is kept under. */
export async function drop(cache: Cache, files: Files, site: string): Promise<void> {
  const kept = new Set(Object.entries(files).map(([name, hash]) => new URL(keyOf(name, hash), site).href));
  await Promise.all((await cache.keys()).filter(({ url }) => !kept.has(url)).map((request) => cache.delete(request)));
}

/** Answers with the file that an address is of, as it was kept; undefined: that is for the network. */
export async function answer(cache: Cache, files: Files, site: string, address: string): Promise<Response | undefined> {
  const name = nameOf(address, site);
  const hash = name === undefined ? undefined : files[name];
  return name === undefined || hash === undefined ? undefined : cache.match(new URL(keyOf(name, hash), site).href);
}
