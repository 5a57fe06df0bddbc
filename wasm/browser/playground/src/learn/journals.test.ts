import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { presets } from "./presets";

// The Go tests of internal/decisions replay these journals. `npm run unit -- -u journals` writes them anew.
const folder = fileURLToPath(new URL("../../../../../internal/decisions/testdata/lessons/", import.meta.url));

/** The journal of a lesson; its first line says how it is replayed. */
function withHeader(journal: string, grace = 0): string {
  const [first, ...rest] = journal.split("\n");
  const header = { ...(JSON.parse(first ?? "") as object), grace: `${grace}s`, until: "idle" };
  return [JSON.stringify(header), ...rest].join("\n");
}

describe("the journals that the Go tests replay", () => {
  it.each(presets.map((lesson) => [lesson.name, lesson.scenario] as const))("%s is that of the lesson", async (name, scenario) => {
    await expect(withHeader(scenario.journal, scenario.grace)).toMatchFileSnapshot(`${folder}${name}.jsonl`);
  });
});
