/** Writing sentences: what may stand at the cursor, and what a sentence becomes when it is chosen. */

import type { Keyword, Sentence } from "./answers";

/** Where in a feature the cursor is: behind the keyword of a step, or at the beginning of a line. */
export type Spot =
  | { readonly kind: "step"; readonly keyword: Keyword | undefined; readonly from: number }
  | { readonly kind: "keyword"; readonly from: number };

const stepLine = /^(\s*(Given|When|Then|And|But|\*)\s+)/;
const wordLine = /^(\s*)[A-Za-z]*$/;

/** Looks at the text before the cursor; undefined: in a table, a comment, a text block. */
export function spotOf(before: string): Spot | undefined {
  const lines = before.split("\n");
  const line = lines.at(-1) ?? "";
  if (lines.filter((l) => l.trimStart().startsWith('"""')).length % 2 === 1) return undefined;
  const step = stepLine.exec(line);
  const start = before.length - line.length;
  if (step) return { kind: "step", keyword: kindOf(step[2] ?? "", lines.slice(0, -1)), from: start + (step[1]?.length ?? 0) };
  const word = wordLine.exec(line);
  return word ? { kind: "keyword", from: start + (word[1]?.length ?? 0) } : undefined;
}

/** What an And goes on with: the last keyword that is one of the three. */
function kindOf(keyword: string, above: readonly string[]): Keyword | undefined {
  if (isKeyword(keyword)) return keyword;
  for (const line of [...above].reverse()) {
    const word = stepLine.exec(line)?.[2] ?? "";
    if (isKeyword(word)) return word;
    if (/^\s*(Scenario|Example|Background|Rule|Feature)\b.*:/.test(line)) return undefined;
  }
  return undefined;
}

function isKeyword(word: string): word is Keyword {
  return word === "Given" || word === "When" || word === "Then";
}

/** The words that begin a line. */
export const beginnings: readonly string[] = [
  "Feature: ", "Rule: ", "Background:", "Scenario: ", "Scenario Outline: ", "Examples:", "Given ", "When ", "Then ", "And ", "But ",
];

/** The forms of a sentence that can be chosen: without and with what may be left out. Single letters in brackets are left out. */
export function variants(form: string): readonly string[] {
  const plain = form.replace(/(\w)\[e?s\]/g, "$1");
  const bare = plain.replace(/\[[^\]]*\]/g, "");
  const full = plain.replace(/[[\]]/g, "");
  return bare === full ? [bare] : [bare, full];
}

/** What is put in for what stands in braces, to begin with. */
const examples: Readonly<Record<string, string>> = { names: "name", queue: "root.default", resources: "1 vcore", duration: "30s", number: "1" };

/** A form as a template of the editor, whose fields are gone through with Tab; with the table or text that follows it. */
export function template({ takes, doc }: Pick<Sentence, "takes" | "doc">, form: string): string {
  let fields = 0;
  const line = form.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const [first = name, ...others] = name.split("|");
    const field = `\${${++fields}:${others.length === 0 ? (examples[first] ?? first) : first}}`;
    return name.startsWith("name") ? `"${field}"` : field;
  });
  if (takes === "table") return `${line}\n  | ${columnsOf(doc).join(" | ")} |\n  | ${columnsOf(doc).map(() => "${}").join(" | ")} |`;
  if (takes === "text") return `${line}\n  """\n  \${}\n  """`;
  return line;
}

/** The first columns that the documentation of a sentence names. */
function columnsOf(doc: string): readonly string[] {
  const names = /columns ([^;]*)/.exec(doc)?.[1]?.split(/, | and /).map((name) => name.replace(/ \(.*/, "").trim()) ?? [];
  const plain = names.filter((name) => /^[a-z ]+$/.test(name) && !name.startsWith("as in")).slice(0, 3);
  return plain.length > 0 ? plain : ["type", "id"];
}
