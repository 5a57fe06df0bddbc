/** Files that come in: what they hold is told by their names. */

import { receive } from "../compare/drop";
import { check } from "../configure/checks";
import type { Configuration } from "../model/scenario";
import type { Scenario } from "../model/scenario";
import { replaceDraft } from "../scenarios/replace";
import { listed, say } from "../state/notices";
import { actions } from "../state/run";
import { notices, run, status } from "../state/store";
import { count, duration } from "../ui/format";
import { askUser } from "../ui/question";
import { go } from "../ui/route";
import { fromFile, setsConfiguration, withoutFirstConfiguration } from "./journal";
import { BadPack, collect } from "./packed";

/** All endings of files that can be opened. */
export const kinds = ".jsonl,.journal,.ndjson,.json,.yaml,.yml,.toml,.feature,.wasm,.gz";

/** As much as the scheduler takes for a journal. */
const most = 64 << 20;

/** A configuration that was put in force from a file. A journal that is opened next may belong to it. */
let last: { readonly name: string; readonly configuration: Configuration; readonly run: string } | undefined;

/** Opens files that were chosen or dropped at once: a journal and a configuration together, all others one after the other. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const journals = files.filter((file) => kindOf(file) === "journal");
  const configurations = files.filter((file) => kindOf(file) === "configuration");
  if (journals.length > 1 || configurations.length > 1) {
    const what = journals.length > 1 ? count(journals.length, "journal") : count(configurations.length, "configuration");
    say("error", `The page opens one journal and one configuration at a time, and these are ${what}. Nothing was opened.`);
    return;
  }
  const [journal] = journals;
  const [config] = configurations;
  if (journal && config) await guarded([journal, config], () => openTogether(journal, config));
  for (const file of files) {
    if (!(journal && config && (file === journal || file === config))) await guarded([file], () => open(file));
  }
}

/** Opens files as a whole or not at all. The page says what is wrong with them. */
async function guarded(files: readonly File[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof BadPack || thrown instanceof DOMException)) throw thrown;
    const why = thrown instanceof BadPack ? thrown.message : "expected a file that the browser can read";
    say("error", `${files.map((file) => file.name).join(" and ")}: ${why}. Nothing was opened.`);
  }
}

type Kind = "journal" | "configuration" | "feature" | "module";
const kindsByEnding: Readonly<Record<string, Kind>> = {
  jsonl: "journal", journal: "journal", ndjson: "journal", json: "journal", yaml: "configuration", yml: "configuration", toml: "configuration", feature: "feature", wasm: "module",
};

const plainName = (file: File): string => file.name.replace(/\.gz$/i, "");
const endingOf = (file: File): string => /\.([a-z]+)$/i.exec(plainName(file))?.[1]?.toLowerCase() ?? "";

function kindOf(file: File): Kind | undefined {
  return kindsByEnding[endingOf(file)];
}

async function open(file: File): Promise<void> {
  const name = plainName(file);
  switch (kindOf(file)) {
    case "journal": return openJournal(file.name, await textOf(file));
    case "configuration": return openConfiguration(file.name, await configurationOf(file));
    case "feature":
      if (await replaceDraft({ name, text: await textOf(file) })) go("scenarios");
      return;
    case "module": return receive(name === file.name ? file : new File([await bytesOf(file)], name));
    case undefined: throw new BadPack("expected a journal (.jsonl), a configuration (.yaml, .toml), a feature (.feature) or a policy module (.wasm), found another kind of file");
  }
}

async function configurationOf(file: File): Promise<Configuration> {
  return { text: await textOf(file), format: endingOf(file) === "toml" ? "toml" : "yaml" };
}

async function openTogether(journal: File, config: File): Promise<void> {
  const text = await textOf(journal);
  const configuration = await configurationOf(config);
  if (!(await sound(configuration))) say("error", `${config.name} is not a valid configuration. Nothing was opened.`);
  else if (await opened(journal.name, { ...fromFile(journal.name, text), config: configuration })) say("info", `${journal.name} was opened with the configuration of ${config.name}.`);
}

/** A journal that sets no configuration may belong to the one that was put in force just before. */
async function openJournal(name: string, text: string): Promise<void> {
  const scenario = fromFile(name, text);
  const before = last?.run === run.peek() ? last : undefined;
  if (!before || setsConfiguration(text)) {
    await opened(name, scenario);
    return;
  }
  const answer = await askUser<"with" | "alone">({
    title: `Open ${name} with ${before.name}?`,
    lead: `${name} sets no configuration. It replaces the current session; Undo restores that.`,
    choices: [
      { text: `With ${before.name}`, kind: "primary", value: "with", hint: "The configuration is in force from the start." },
      { text: "Alone", value: "alone", hint: "Without a configuration there is one queue, root.default." },
    ],
  });
  if (answer) await opened(name, answer === "with" ? { ...scenario, config: before.configuration } : scenario, true);
}

async function opened(name: string, scenario: Scenario, sure = false): Promise<boolean> {
  const before = run.peek();
  const kept = notices.peek().length;
  const done = await actions.open(scenario, sure);
  if (done) go("cluster");
  else if (run.peek() === before && notices.peek().length > kept) say("error", `${name} was not opened. The current session continues.`);
  return done;
}

/** A configuration is for what runs from now on, or from its start. */
async function openConfiguration(name: string, config: Configuration): Promise<void> {
  if (!(await sound(config))) {
    say("error", `${name} was not put in force. The configuration is unchanged.`);
    return;
  }
  const scenario = await actions.scenario();
  const answer = await askUser<"now" | "start">({
    title: `When should ${name} take effect?`,
    choices: [
      { text: `From this moment on, ${duration(status.peek()?.now ?? 0)}`, kind: "primary", value: "now", hint: "It takes effect as a change of the configuration, which is part of the journal." },
      { text: "From the start", value: "start", hint: `Opens “${scenario.title}” again. ${name} replaces the configuration that its journal begins with.` },
    ],
  });
  if (answer === "now") await putInForce(name, config);
  if (answer === "start") await opened(name, { ...scenario, journal: withoutFirstConfiguration(scenario.journal), config, begin: 0 });
}

async function putInForce(name: string, configuration: Configuration): Promise<void> {
  if (await actions.reload(configuration)) {
    last = { name, configuration, run: run.peek() };
    say("info", `The configuration of ${name} is in force.`);
  } else {
    say("error", `${name} was not put in force. The configuration is unchanged.`);
  }
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
    // A byte-order mark stays: the decoders skip it.
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
