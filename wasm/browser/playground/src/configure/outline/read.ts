import type { Configuration } from "../../model/scenario";
import type { Outline } from "./outline";
import { tomlOutline } from "./toml";
import { yamlOutline } from "./yaml";

/** The outline of a text in its format, and what is at the cursor, if there is one. */
export function outlineOf({ text, format }: Configuration, cursor?: number): Outline {
  return format === "toml" ? tomlOutline(text, cursor) : yamlOutline(text, cursor);
}
