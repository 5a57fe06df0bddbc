/** A scenario as one file: its journal, with what no input says in comments, which every other reader passes over. */

import { formatDuration, parseDuration, second } from "../model/times";
import type { Scenario } from "../model/scenario";

const header = '{"type":"journal","version":1}\n';

/** Writes the file of a scenario. Its journal begins with the configuration. */
export function toFile({ title, lesson, journal, grace = 0 }: Pick<Scenario, "title" | "lesson" | "journal" | "grace">): string {
  const lines = journal.startsWith(header) ? journal.slice(header.length) : journal;
  const leave = grace > 0 ? `# grace: ${formatDuration(grace * second)}\n` : "";
  const course = lesson === undefined ? "" : `# lesson: ${lesson}\n`;
  return `${header}# title: ${title.replace(/\s+/g, " ")}\n${course}${leave}${lines}`;
}

/** Reads a file that holds a journal; one of another program is called by its name. */
export function fromFile(name: string, journal: string): Scenario {
  const head = journal.slice(0, /^[^#{\s]|^\{(?!"type":"journal")/m.exec(journal)?.index ?? journal.length);
  const said = (key: string) => new RegExp(`^# ${key}: (.+)$`, "m").exec(head)?.[1]?.trim();
  const grace = parseDuration(said("grace") ?? "");
  const lesson = said("lesson");
  return { title: said("title") ?? name, ...(lesson !== undefined && { lesson }), journal, ...(grace !== undefined && grace > 0 && { grace: grace / second }) };
}
