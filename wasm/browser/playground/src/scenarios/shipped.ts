/** The features that ship with the scheduler, as starting points. */

const files = import.meta.glob<string>("../../../../../features/*.feature", { query: "?raw", import: "default" });

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Their names, in order. */
export const shipped: readonly string[] = Object.keys(files).map(nameOf).sort();

/** The text of one. */
export async function textOf(name: string): Promise<string> {
  const path = Object.keys(files).find((p) => nameOf(p) === name);
  return (path && (await files[path]?.())) ?? "";
}
