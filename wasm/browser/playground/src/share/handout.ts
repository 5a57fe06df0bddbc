/** What can be handed to others: links, a frame for other pages, files. */

import { say } from "../state/notices";
import { actions } from "../state/run";
import { configuration, edits, savedEdits, selection, speed, status, title } from "../state/store";
import { second } from "../model/times";
import { save } from "../ui/save";
import { pickedParameter } from "../ui/address";
import { fileName } from "./files";
import { toFile } from "./journal";
import { lessonFragment, longest, toFragment } from "./link";

/** A text for the clipboard, and what it is. */
export interface Handout {
  readonly what: string;
  readonly text: string;
}

/** A link that opens what runs, at this moment; undefined: it would be too long, which the page says. */
export async function link(): Promise<Handout | undefined> {
  const address = await scenarioAddress();
  return address === undefined ? undefined : { what: "The link", text: address };
}

export function lessonLink(name: string, step: number): Handout {
  return { what: "The link to the lesson", text: here() + lessonFragment(name, step) };
}

/** A frame that shows what runs, for other pages. */
export async function embedCode(): Promise<Handout | undefined> {
  const address = await scenarioAddress();
  if (address === undefined) return undefined;
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const name = escape(`Quern playground: ${title.peek()}`);
  return { what: "The code", text: `<iframe src="${escape(`${address}&embed=1`)}" title="${name}" width="100%" height="640" loading="lazy"></iframe>` };
}

async function scenarioAddress(): Promise<string | undefined> {
  const scenario = await actions.scenario();
  const now = status.peek()?.now ?? 0;
  const address = here() + (await toFragment({ ...scenario, begin: now / second, speed: speed.peek() })) + pickedParameter(selection.peek());
  if (address.length > longest) {
    say("error", `The link would have ${address.length.toLocaleString("en")} characters, and mail programs and chats cut links beyond ${longest.toLocaleString("en")}. Export the journal instead: the file can be dropped on this page.`);
    return undefined;
  }
  const left = scenario.modules?.map(({ name }) => name) ?? [];
  if (left.length > 0) say("info", `The link does not carry policy modules (${left.join(", ")}): where they are not loaded, their fallback decides.`);
  return address;
}

function here(): string {
  return location.href.replace(/#.*/, "");
}

export async function exportJournal(): Promise<void> {
  const scenario = await actions.scenario();
  save(fileName(title.peek(), "jsonl"), toFile(scenario));
  savedEdits.value = edits.peek();
  const named = scenario.modules?.map(({ name }) => name) ?? [];
  if (named.length > 0) say("info", `The journal names policy modules by their hash (${named.join(", ")}) and does not carry them: quern replay takes their files from the folder that --policies names.`);
}

export async function exportDecisions(): Promise<void> {
  save(fileName(title.peek(), "decisions.jsonl"), await actions.decisions());
}

export function exportConfiguration(): void {
  const { text, format } = configuration.peek() ?? { text: "", format: "yaml" };
  if (text === "") say("info", "No configuration was set: the scheduler begins with the one queue root.default.");
  else save(fileName(title.peek(), format), text);
}
