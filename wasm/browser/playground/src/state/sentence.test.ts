import { expect, it } from "vitest";
import { sentence } from "./sentence";

it.each([
  ["there is no policy drf", "There is no policy drf."],
  ["line 3: at: expected a time", "Line 3: at: expected a time."],
  ["refused", "Refused."],
  ["Nothing happened.", "Nothing happened."],
  ["root.research.text: expected a leaf", "root.research.text: expected a leaf."],
  ["root: resources: expected a mapping", "root: resources: expected a mapping."],
  ["web-1 is there already", "web-1 is there already."],
])("%s", (text, expected) => { expect(sentence(text)).toBe(expected); });
