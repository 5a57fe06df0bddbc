import { describe, expect, it } from "vitest";
import { answer, drop, keep, keepUsed, nameOf, type Files } from "./files";

const site = "https://quern.example/play/";
const contents: Record<string, string> = { "": "<!doctype html>", "assets/a-1.js": "let a", "core.wasm.gz": "\x1f\x8bcore" };

async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  return [...digest.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As much of a cache as is used. */
class Kept {
  readonly all = new Map<string, Response>();
  match(key: string) { return Promise.resolve(this.all.get(key)?.clone()); }
  put(key: string, response: Response) { this.all.set(key, response); return Promise.resolve(); }
  keys() { return Promise.resolve([...this.all.keys()].map((url) => ({ url }))); }
  delete({ url }: { url: string }) { return Promise.resolve(this.all.delete(url)); }
}

function loader(files: Record<string, string>) {
  const asked: string[] = [];
  const load = (address: string) => {
    const name = address.slice(site.length);
    asked.push(name);
    const found = files[name];
    return Promise.resolve(found === undefined ? new Response("", { status: 404 }) : new Response(Uint8Array.from(found, (letter) => letter.charCodeAt(0))));
  };
  return { asked, load: load as unknown as typeof fetch };
}

const listed = async (): Promise<Files> => ({
  "index.html": await hash(contents[""] ?? ""), "assets/a-1.js": await hash("let a"), "core.wasm.gz": await hash("\x1f\x8bcore"),
});

describe("the files that are kept", () => {
  it("are found by their address, whatever is behind ? and #, and no others", () => {
    expect(nameOf(site, site)).toBe("index.html");
    expect(nameOf(`${site}?a=1#lesson=thousand`, site)).toBe("index.html");
    expect(nameOf(`${site}assets/a-1.js`, site)).toBe("assets/a-1.js");
    expect(nameOf("https://quern.example/v1/queues", site)).toBeUndefined();
    expect(nameOf("https://elsewhere.example/play/", site)).toBeUndefined();
  });

  it("are fetched once; a new version fetches what has changed, and drops what it replaces", async () => {
    const cache = new Kept();
    const opened = cache as unknown as Cache;
    const files = await listed();
    const one = loader(contents);
    await keep(opened, files, site, one.load);
    expect(one.asked.sort()).toEqual(["", "assets/a-1.js", "core.wasm.gz"]);
    expect(await (await answer(opened, files, site, `${site}#x`))?.text()).toBe("<!doctype html>");
    expect(await answer(opened, files, site, `${site}given.jsonl`)).toBeUndefined();

    const two = loader({ ...contents, "core.wasm.gz": "\x1f\x8bnewer" });
    const newer = { ...files, "core.wasm.gz": await hash("\x1f\x8bnewer") };
    await keep(opened, newer, site, two.load);
    expect(two.asked).toEqual(["core.wasm.gz"]);
    expect(await (await answer(opened, files, site, `${site}assets/a-1.js`))?.text()).toBe("let a");
    expect(cache.all.size).toBe(4);
    await drop(opened, newer, site);
    expect(cache.all.size).toBe(3);
    expect(await answer(opened, files, site, `${site}core.wasm.gz`)).toBeUndefined();
  });

  it("below later/ are kept once they were used, and from then on ahead of their use", async () => {
    const cache = new Kept();
    const opened = cache as unknown as Cache;
    const compiler = "\x1f\x8bcompiler";
    const files = { ...(await listed()), "later/compiler.gz": await hash(compiler) };
    const one = loader({ ...contents, "later/compiler.gz": compiler });
    await keep(opened, files, site, one.load);
    expect(one.asked).not.toContain("later/compiler.gz");
    expect(await answer(opened, files, site, `${site}later/compiler.gz`)).toBeUndefined();

    const response = () => new Response(Uint8Array.from(compiler, (letter) => letter.charCodeAt(0)));
    await keepUsed(opened, files, site, "later/compiler.gz", new Response("not found", { status: 404 }));
    await keepUsed(opened, files, site, "later/compiler.gz", new Response(Uint8Array.from("\x1f\x8banother", (letter) => letter.charCodeAt(0))));
    await keepUsed(opened, files, site, "core.wasm.gz", response());
    expect(cache.all.size).toBe(3);
    await keepUsed(opened, files, site, "later/compiler.gz", response());
    expect(await answer(opened, files, site, `${site}later/compiler.gz`)).toBeDefined();

    const newer = { ...files, "later/compiler.gz": await hash("\x1f\x8bnewer") };
    const two = loader({ ...contents, "later/compiler.gz": "\x1f\x8bnewer" });
    await keep(opened, newer, site, two.load);
    expect(two.asked).toEqual(["later/compiler.gz"]);
  });

  it("below later/ are kept ahead of their use when the page has time", async () => {
    const cache = new Kept();
    const files = { ...(await listed()), "later/compiler.gz": await hash("\x1f\x8bcompiler") };
    const { asked, load } = loader({ ...contents, "later/compiler.gz": "\x1f\x8bcompiler" });
    await keep(cache as unknown as Cache, files, site, load);
    await keep(cache as unknown as Cache, files, site, load, true);
    expect(asked.at(-1)).toBe("later/compiler.gz");
    expect(asked).toHaveLength(4);
    expect(await answer(cache as unknown as Cache, files, site, `${site}later/compiler.gz`)).toBeDefined();
  });

  it("are refused as a whole where one is missing or of another version", async () => {
    const cache = () => new Kept() as unknown as Cache;
    await expect(keep(cache(), { ...(await listed()), "absent.js": "00" }, site, loader(contents).load)).rejects.toThrow("absent.js: expected a file, found the answer 404");
    await expect(keep(cache(), await listed(), site, loader({ ...contents, "assets/a-1.js": "let b" }).load)).rejects.toThrow("assets/a-1.js: expected the version");
  });

  it("may come decompressed", async () => {
    const cache = new Kept() as unknown as Cache;
    await keep(cache, await listed(), site, loader({ ...contents, "core.wasm.gz": "\0asm" }).load);
    expect(await (await answer(cache, await listed(), site, `${site}core.wasm.gz`))?.text()).toBe("\0asm");
  });
});
