/** Files that come in: what they hold is told by their names. */

import { receive } from "../compare/drop";
import { check } from "../configure/checks";
import type { Configuration } from "../model/scenario";
import { begin } from "../scenarios/draft";
import { listed, say } from "../state/notices";
import { actions } from "../state/run";
import { go } from "../ui/route";
import { fromFile } from "./journal";
import { BadPack, collect } from "./packed";

/** All endings of files that can be opened. */
export const kinds = ".jsonl,.journal,.ndjson,.json,.yaml,.yml,.toml,.feature,.wasm,.gz";

/** As much as the scheduler takes for a journal. */
const most = 64 << 20;

/** Opens a file: as a whole or not at all. The page says what is wrong with it. */
export async function openFile(file: File): Promise<void> {
  const name = file.name.replace(/\.gz$/i, "");
  const kind = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  try {
    await open(file, name, kind);
  } catch (thrown) {
    if (!(thrown instanceof BadPack || thrown instanceof DOMException)) throw thrown;
    const why = thrown instanceof BadPack ? thrown.message : "expected a file, found something that the browser cannot read";
    say("error", `${file.name}: ${why}. Nothing was opened.`);
  }
}

async function open(file: File, name: string, kind: string): Promise<void> {
  switch (kind) {
    case "jsonl": case "journal": case "ndjson": case "json": return openJournal(file.name, await textOf(file));
    case "yaml": case "yml": case "toml": return openConfiguration(file.name, await textOf(file), kind === "toml" ? "toml" : "yaml");
    case "feature":
      begin({ name, text: await textOf(file) });
      go("scenarios");
      return;
    case "wasm": return receive(name === file.name ? file : new File([await bytesOf(file)], name));
    default: throw new BadPack("expected a journal (.jsonl), a configuration (.yaml, .toml), a feature (.feature) or a policy module (.wasm), found another kind of file");
  }
}

async function openJournal(name: string, text: string): Promise<void> {
  if (await actions.open(fromFile(name, text))) go("cluster");
  else say("error", `${name} was not opened. What ran before goes on.`);
}

async function openConfiguration(name: string, text: string, format: "yaml" | "toml"): Promise<void> {
  if (await sound({ text, format }) && await actions.reload({ text, format })) say("info", `The configuration of ${name} is in force.`);
  else say("error", `${name} was not put in force. The configuration is as it was.`);
}

/** Whether a configuration can be read; the page says what is wrong with it. One that cannot has no place in the journal. */
async function sound(configuration: Configuration): Promise<boolean> {
  const found = await check(configuration);
  if (found?.answer?.configuration) return true;
  const errors = found?.answer?.errors.map(({ line = 1, queue = "", key = "", expected = "", found = "" }) => `Line ${line}, ${[queue, key].filter(Boolean).join(": ")}: expected ${expected}, found ${found}`);
  say("error", listed(errors ?? [found?.refusal ?? "The scheduler has ended"]));
  return false;
}

async function textOf(file: File): Promise<string> {
  const bytes = await bytesOf(file);
  try {
    // A byte order mark stays: the command line does not pass over it either.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadPack("expected text in UTF-8, found something else");
  }
}

/** What is in a file, or in the file that is packed in it. */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const stream = file.stream();
  if (!/\.gz$/i.test(file.name)) return collect(stream, most);
  try {
    return await collect(stream.pipeThrough(new DecompressionStream("gzip")), most);
  } catch (thrown) {
    if (thrown instanceof BadPack) throw thrown;
    throw new BadPack("expected a file packed by gzip, found something else");
  }
}

/** A title as the name of a file. */
export function fileName(title: string, ending: string): string {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `${plain.slice(0, 60) || "cluster"}.${ending}`;
}
