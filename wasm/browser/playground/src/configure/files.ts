import type { Configuration } from "../model/scenario";
import { tidy } from "./draft";

/** More than any configuration has: the file is another one. */
const most = 8 << 20;

/** The text of a file; its name says the format, else it is as before. @throws Error, in words for the user */
export async function readFile(file: File, before: Configuration["format"]): Promise<Configuration> {
  if (file.size > most) throw new Error(`${file.name}: expected a configuration of at most 8 MiB, found ${(file.size / (1 << 20)).toFixed(1)} MiB. Nothing was opened.`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return tidy({ text, format: /\.toml$/i.test(file.name) ? "toml" : /\.ya?ml$/i.test(file.name) ? "yaml" : before });
  } catch {
    throw new Error(`${file.name}: expected text in UTF-8, found something else. Nothing was opened.`);
  }
}
