/** Files that nobody should have to fear: each is refused in words, or taken as what it is. */

import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { goodModule } from "./compare-modules";

export interface HostileFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the page says of it. */
  readonly said: RegExp;
  /** Whether the page takes it for a policy module, and tells in the module's card. */
  readonly module?: boolean;
}

const mebi = 1 << 20;
const inputs = (...lines: string[]) => ['{"type":"journal","version":1}', ...lines, ""].join("\n");

/** Files of every kind that the page opens. */
export function hostileFiles(): HostileFile[] {
  const good = goodModule().buffer;
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from("JFIF"), Buffer.alloc(4000, 0x5a)]);
  return [
    { name: "holiday.wasm", content: jpeg, said: /not WebAssembly/, module: true },
    { name: "empty.wasm", content: "", said: /Refused/, module: true },
    { name: "half.wasm", content: good.subarray(0, good.length / 2), said: /truncated/, module: true },
    { name: "large.wasm", content: Buffer.concat([good, Buffer.alloc(9 * mebi)]), said: /too-large/, module: true },
    { name: "bomb.wasm.gz", content: gzipSync(Buffer.alloc(80 * mebi)), said: /bomb\.wasm\.gz: expected at most [\d,]+ bytes, found more/ },
    { name: "no.jsonl.gz", content: "not packed", said: /expected a file packed by gzip/ },
    { name: "bomb.jsonl.gz", content: gzipSync(Buffer.alloc(80 * mebi)), said: /bomb\.jsonl\.gz: expected at most/ },
    { name: "nul.jsonl", content: `{"at":"0s","type":"tick"}\n\0\0\0\n`, said: /nul\.jsonl was not opened/ },
    { name: "bytes.jsonl", content: jpeg, said: /bytes\.jsonl: expected text in UTF-8/ },
    { name: "line.jsonl", content: inputs(`{"at":"0s","type":"node.add","id":"${"x".repeat(17 * mebi)}","capacity":{"vcore":1}}`), said: /line\.jsonl was not opened/ },
    { name: "back.jsonl", content: inputs('{"at":"9s","type":"tick"}', '{"at":"1s","type":"tick"}'), said: /Line 3.*back\.jsonl was not opened/s },
    {
      name: "billion.jsonl", said: /1048576 inputs.*billion\.jsonl was not opened/s,
      content: inputs('{"at":"0s","type":"app.add","id":"a","queue":"root.default"}', '{"at":"0s","type":"ask.add","id":"a-1","app":"a","resources":{"vcore":1},"count":1000000000}'),
    },
    { name: "list.json", content: "[".repeat(100_000), said: /list\.json was not opened/ },
    { name: "bomb.yaml", content: yamlBomb(), said: /bomb\.yaml was not put in force/ },
    { name: "deep.yaml", content: `partitions: ${"[".repeat(10_000)}`, said: /deep\.yaml was not put in force/ },
    { name: "deep-block.yaml", content: deepBlock(2000), said: /deep-block\.yaml was not put in force/ },
    { name: "tables.toml", content: Array.from({ length: 100_000 }, (_, i) => `[t${i}]\n`).join(""), said: /tables\.toml was not put in force/ },
    { name: "deep.toml", content: `a = ${"[".repeat(100_000)}`, said: /deep\.toml was not put in force/ },
    { name: "page.html", content: "<script>alert(1)</script>", said: /page\.html: expected a journal/ },
  ];
}

function yamlBomb(): string {
  const levels = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${Array.from({ length: 10 }, () => (i === 0 ? "x" : `*a${i - 1}`)).join(", ")}]`);
  return `${levels.join("\n")}\npartitions: *a29\n`;
}

function deepBlock(levels: number): string {
  return Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
}

interface Corpus {
  readonly file: string;
  readonly name: string;
  /** Where a module is stopped; "works" and "call": it passes gate and trial. */
  readonly stop: string;
}

const folder = "../../../build/hostile";

/** One or two of each kind of hostile module; none where the corpus was not written. */
const selection = [
  "endless in node_score", "endless in quern_configure", "endless in _initialize", "recursion", "memory.grow for ever", "all memory erased", "reserve is outside of memory", 
  "header overwritten", "error text that controls a terminal", "manifest of 1 MiB", "manifest nested deeply", "manifest with an unknown key that controls a terminal",
  "abi 2.0", "import of path_open", "log for ever", "fd_write of 4 billion buffers", "random_get of 4 GiB", "proc_exit in a call", "fuel exported", "4 billion functions", "5,000 blocks in each other",
  "unreachable", "wrong types", "15,000 functions",
];

export function hostileModules(): (HostileFile & { readonly kind: string })[] {
  if (!existsSync(`${folder}/index.json`)) return [];
  const corpus = JSON.parse(readFileSync(`${folder}/index.json`, "utf8")) as Corpus[];
  return corpus.filter(({ name }) => selection.includes(name)).map(({ file, name, stop }) => ({
    kind: name, name: `h${file}`, content: readFileSync(`${folder}/${file}`), module: true, said: stop === "works" || stop === "call" ? /^Passed/ : /^Refused|^Given up/,
  }));
}

/** A module of the corpus by what it does. */
export function hostileModule(kind: string): Buffer | undefined {
  if (!existsSync(`${folder}/index.json`)) return undefined;
  const found = (JSON.parse(readFileSync(`${folder}/index.json`, "utf8")) as Corpus[]).find(({ name }) => name === kind);
  return found && readFileSync(`${folder}/${found.file}`);
}
