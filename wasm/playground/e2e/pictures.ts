import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";

/** Where the documents have their pictures. */
const folder = "../../docs/images";

/** Whether pictures are taken; otherwise the words of those that are there are compared with the pages of today. */
export const taking = process.env.QUERN_PICTURES === "take";

/** Takes a picture of what is on the screen, with its words in a file beside it, or holds these words to the page. */
export async function picture(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.words.txt`);
  if (taking) {
    await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    writeFileSync(file, (await words(page, "on the screen")).join("\n") + "\n");
    return;
  }
  const shown = readFileSync(file, "utf8").trimEnd().split("\n");
  const today = await words(page, "anywhere");
  // Fonts differ between machines, and with them what is on the screen: what is shown has to be on the page in this order.
  let at = 0;
  const missing = shown.find((line) => {
    const found = today.indexOf(line, at);
    at = found + 1;
    return found < 0;
  });
  expect(missing, `${file} shows words that the page has no longer, or elsewhere (make pictures takes it anew)`).toBeUndefined();
}

/** The texts of a page from its beginning to its end: all, or those of which something is on the screen. */
function words(page: Page, which: "anywhere" | "on the screen"): Promise<string[]> {
  return page.evaluate((everything) => {
    const seen = (node: Node): boolean => {
      const range = document.createRange();
      range.selectNodeContents(node);
      let { left, top, right, bottom } = range.getBoundingClientRect();
      const clip = (box: { left: number; top: number; right: number; bottom: number }) => {
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        right = Math.min(right, box.right);
        bottom = Math.min(bottom, box.bottom);
      };
      clip({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      for (let e = node.parentElement; e; e = e.parentElement) {
        if (getComputedStyle(e).overflow !== "visible") clip(e.getBoundingClientRect());
      }
      return right - left > 1 && bottom - top > 1;
    };
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? "").replace(/\s+/g, " ").trim();
      const parent = node.parentElement;
      if (text === "" || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (parent.closest("option, script, style") === null && (everything || seen(node))) found.push(text);
    }
    return found;
  }, which === "anywhere");
}
