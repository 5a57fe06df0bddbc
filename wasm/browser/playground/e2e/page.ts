import { expect, type Page } from "@playwright/test";

/** Opens the page and waits until the scheduler is there. */
export async function open(page: Page, fragment = "") {
  await page.goto(`./${fragment}`);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible({ timeout: 30_000 });
}

export const viewNames = ["Cluster", "Configure", "Compare", "Scenarios", "Learn"] as const;

/** Goes to a view by its link in the header. */
export async function show(page: Page, view: (typeof viewNames)[number]) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
  await expect(page.getByRole("link", { name: view, exact: true })).toHaveAttribute("aria-current", "page");
}

/** Waits until no transition runs and what the page says stays as it is: answers of the scheduler come when they come. */
export async function still(page: Page) {
  let before = "";
  await expect.poll(async () => {
    const [moving, text] = await page.evaluate(() => [
      document.getAnimations().filter((one) => one.playState === "running" && Number.isFinite(one.effect?.getComputedTiming().endTime)).length,
      document.body.innerText,
    ] as const);
    const same = moving === 0 && text === before;
    before = text;
    return same;
  }, { intervals: [100], timeout: 30_000 }).toBe(true);
}

/** Waits until a list of suggestions takes keys: CodeMirror ignores them for 75 ms of the page's clock, lest they be a slip. */
export async function takesKeys(page: Page) {
  const shown = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since > 75, shown);
}

/** Collects what the browser has against the page: errors, and violations of the policy of its content. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text());
  });
  return found;
}

/** Drops a file on the page, or on a part of it, as the browser does. */
export async function dropFile(page: Page, name: string, content: string | Buffer, onto = "main") {
  const transfer = await page.evaluateHandle(([called, packed]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0))], called));
    return data;
  }, [name, Buffer.from(content).toString("base64")] as const);
  await page.locator(onto).dispatchEvent("drop", { dataTransfer: transfer });
}
