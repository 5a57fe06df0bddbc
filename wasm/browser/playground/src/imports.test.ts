import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !/\.(test|bench)\./.test(file));

/** The files of the page that a file imports, types included. */
function imported(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return [...text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"(\.[^"]+)"/gm)].flatMap(([, path = ""]) => {
    const target = join(dirname(file), path);
    return [`${target}.ts`, `${target}.tsx`].filter((one) => statSync(join(import.meta.dirname, one), { throwIfNoEntry: false }));
  });
}

/** A circle of imports, as the files on it in order, or undefined if there is none. */
function circle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const found = walk(next, [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const found = walk(file, []);
    if (found) return found;
  }
  return undefined;
}

test("a circle is found", () => {
  expect(circle(new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", []], ["d", ["b"]]]))).toEqual(["b", "d", "b"]);
});

test("files import one another without circles", () => {
  const edges = new Map(sources.map((file) => [file, imported(file)]));
  expect([...edges.values()].flat().length).toBeGreaterThan(sources.length); // the imports are read
  expect(circle(edges)).toBeUndefined();
});
