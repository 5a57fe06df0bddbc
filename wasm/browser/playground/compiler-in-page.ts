/**
 * Makes the compiler of policies fit for a page when the site is built: binaryen's WebAssembly code, which its script carries as
 * a text of 13 MB, becomes a compressed file that is fetched when the compiler starts; and the compiler's own small module is
 * read from its text instead of fetched from a data: address, which the page's policy forbids.
 */

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What stands before the text: the variable that the function makes bytes of the text for. */
const before = /(\w+)\?\?=\w+\(`(?=\\0asm)/;

/** What compiler and binaryen import where they run in Node, and only there. */
const ofNode = new Set(["fs", "module", "path", "url", "node:module"]);
const absent = "\0absent-in-browsers";

const file = "later/binaryen.wasm.gz";

/** How the compiler loads its own module. */
const fetched = /WebAssembly\.instantiateStreaming\(fetch\((\w+)\)\)/;

export function compilerInPage(): Plugin {
  return {
    name: "compiler-in-page",
    apply: "build",
    enforce: "pre",
    resolveId: (name) => (ofNode.has(name) ? absent : null),
    load: (id) => (id === absent ? "export default {};" : null),
    transform(code, id) {
      if (/[\\/]assemblyscript[\\/]dist[\\/]assemblyscript\.js$/.test(id)) return { code: withoutFetch(code, id), map: null };
      if (!/[\\/]binaryen[\\/]index\.js$/.test(id)) return null;
      const [begin = "", variable = ""] = before.exec(code) ?? [];
      const from = code.indexOf(begin) + begin.length;
      const to = endOfText(code, from);
      if (begin === "" || code[to + 1] !== ")") throw new Error(`${id}: expected the code of binaryen in a text, as in the version that the lock file names`);
      const content = bytesOf(code.slice(from, to));
      if (!WebAssembly.validate(new Uint8Array(content))) throw new Error(`${id}: expected WebAssembly in its text, found something else`);
      this.emitFile({ type: "asset", fileName: file, source: gzipSync(content, { level: 9 }) });
      const load = `const codeOfBinaryen = await (async () => {
  const packed = new Uint8Array(await (await fetch(new URL(/* @vite-ignore */ "../${file}", import.meta.url))).arrayBuffer());
  if (packed[0] !== 0x1f) return packed; // some servers unpack .gz files on the way
  return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
})();\n`;
      return { code: `${load}${code.slice(0, from - begin.length)}${variable}??=codeOfBinaryen${code.slice(to + 2)}`, map: null };
    },
  };
}

function withoutFetch(code: string, id: string): string {
  if (!fetched.test(code)) throw new Error(`${id}: expected a module in a data: address, as in the version that the lock file names`);
  return code.replace(fetched, (_, address: string) => `WebAssembly.instantiate(Uint8Array.from(atob(${address}.split(",")[1]), (letter) => letter.charCodeAt(0)))`);
}

/** Where a text in backticks ends that begins here. */
function endOfText(code: string, from: number): number {
  let at = from;
  while (at < code.length && code[at] !== "`") at += code[at] === "\\" ? 2 : 1;
  return at;
}

/** The bytes that a text in backticks stands for: letters below 256 are themselves, the others stand for 0. */
function bytesOf(text: string): Buffer {
  const letters = text.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|[^])/gi, (_, escape: string) => lettersOf[escape] ?? (escape.length > 1 ? String.fromCharCode(parseInt(escape.slice(1), 16)) : escape));
  return Buffer.from(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}

const lettersOf: Readonly<Record<string, string>> = { 0: "\0", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
