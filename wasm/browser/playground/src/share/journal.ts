/** A scenario as one file: its journal, which says on its first line how it is replayed, with a title in a comment. */

import { eachInput, fieldsOf, isHeader, plainHeader } from "../engine/journal";
import type { Scenario } from "../model/scenario";

/** Writes the file of a scenario. Its journal begins with the configuration. */
export function toFile({ title, lesson, journal }: Pick<Scenario, "title" | "lesson" | "journal">): string {
  const end = journal.indexOf("\n");
  const first = journal.slice(0, Math.max(end, 0));
  const [header, lines] = isHeader(first) ? [first, journal.slice(end + 1)] : [plainHeader, journal];
  const course = lesson === undefined ? "" : `# lesson: ${onOneLine(lesson)}\n`;
  return `${header}\n# title: ${onOneLine(title)}\n${course}${lines}`;
}

/** A text that cannot leave its comment: what stands on the next line would be an input. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Reads a file that holds a journal; one of another program is called by its name. */
export function fromFile(name: string, journal: string): Scenario {
  const head = journal.slice(0, /^[^#{\s]|^\{(?!"type":"journal")/m.exec(journal)?.index ?? journal.length);
  const said = (key: string) => new RegExp(`^# ${key}: (.+)$`, "m").exec(head)?.[1]?.trim();
  const lesson = said("lesson");
  return { title: said("title") ?? name, ...(lesson !== undefined && { lesson }), journal };
}

/** Whether a journal has a configuration of its own. */
export function setsConfiguration(journal: string): boolean {
  return journal.includes("config.set") && [...eachInput(journal)].some((line) => line.includes("config.set") && fieldsOf(line).type === "config.set");
}

/** A journal without the configurations that it sets at its first moment. */
export function withoutFirstConfiguration(journal: string): string {
  let first: unknown;
  return journal.split("\n").filter((line) => {
    const plain = line.trim();
    if (plain === "" || plain.startsWith("#") || isHeader(plain)) return true;
    if (first !== undefined && !plain.includes("config.set")) return true;
    const { at, type } = fieldsOf(plain);
    first ??= at;
    return !(type === "config.set" && at === first);
  }).join("\n");
}
