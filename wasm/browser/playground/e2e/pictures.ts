import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";

/** Where the documents have their pictures. */
const folder = "../../../docs/images";

/** Whether pictures are taken; otherwise the words of those that are there are compared with the pages of today. */
export const taking = process.env.QUERN_PICTURES === "take";

/** Takes a picture of what is on the screen, with its words in a file beside it, or holds these words to the page. */
export async function picture(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.words.txt`);
  if (!taking) {
    const shown = readFileSync(file, "utf8").trimEnd().split("\n");
    await expect.poll(async () => missing(shown, await words(page, "anywhere")),
      { message: `${file} shows words that the page has no longer, or elsewhere (make pictures takes it anew)` }).toBeUndefined();
    return;
  }
  writeFileSync(file, (await settled(page)).join("\n") + "\n");
  const shot = join(folder, `${name}.png`);
  const taken = await page.screenshot({ animations: "disabled" });
  if (!existsSync(shot) || await differ(page, readFileSync(shot), taken)) writeFileSync(shot, taken);
}

/** Which of the lines is not on the page behind those before it. Fonts, and so what is on the screen, differ between machines. */
function missing(shown: readonly string[], today: readonly string[]): string | undefined {
  let at = 0;
  return shown.find((line) => {
    const found = today.indexOf(line, at);
    at = found + 1;
    return found < 0;
  });
}

/** Waits until what is on the screen stays as it is: answers of the scheduler come when they come. */
async function settled(page: Page): Promise<string[]> {
  let before: string[] = [];
  for (let same = 0; same < 4;) {
    await page.waitForTimeout(300);
    const now = await words(page, "on the screen");
    same = now.join("\n") === before.join("\n") ? same + 1 : 0;
    before = now;
  }
  return before;
}

/** Whether people would see a difference between two pictures. Edges come out a little different each time. */
async function differ(page: Page, before: Buffer, now: Buffer): Promise<boolean> {
  const blank = await page.context().newPage();
  const count = await blank.evaluate(async (pictures) => {
    const [a, b] = await Promise.all(pictures.map(async (picture) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      return context?.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    if (a === undefined || a.width !== b?.width || a.height !== b.height) return Infinity;
    return a.data.reduce((sum, value, i) => sum + (Math.abs(value - (b.data[i] ?? 0)) > 40 ? 1 : 0), 0);
  }, [before.toString("base64"), now.toString("base64")]);
  await blank.close();
  return count > 0;
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
