import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Opens the page at its first lesson, or at another address, and waits until the scheduler is there. */
export async function open(page: Page, fragment = "#lesson=first-steps") {
  await page.goto(`./${fragment}`);
  await expect(page.getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible({ timeout: 30_000 });
}

export const viewNames = ["Cluster", "Configure", "Compare", "Policy", "Scenarios", "Learn"] as const;

/** Goes to a view by its link in the header. */
export async function show(page: Page, view: (typeof viewNames)[number]) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
  await expect(page.getByRole("link", { name: view, exact: true })).toHaveAttribute("aria-current", "page");
}

/** Waits until the service worker keeps all files of the page and serves it. */
export async function kept(page: Page) {
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return navigator.serviceWorker.controller !== null;
  }, undefined, { timeout: 30_000 });
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
export function dropFile(page: Page, name: string, content: string | Buffer, onto = "main") {
  return dropFiles(page, { [name]: content }, onto);
}

/** The same with several files at once, by their names. */
export async function dropFiles(page: Page, files: Readonly<Record<string, string | Buffer>>, onto = "main") {
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const [called, packed] of list) data.items.add(new File([Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0))], called));
    return data;
  }, Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString("base64")] as const));
  await page.locator(onto).dispatchEvent("drop", { dataTransfer: transfer });
}

/** Adds a node by hand. */
export async function addNode(page: Page, name: string) {
  await page.getByRole("button", { name: "Add", exact: true }).first().click();
  await page.getByRole("menuitem", { name: /^Nodes…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Add 1 node" }).click();
  await expect(dialog).toBeHidden();
}

/** Finds nothing serious in what is shown; rules: by these alone. */
export async function audit(page: Page, where: string, rules?: readonly string[]) {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const said = grave.map(({ id, help, nodes }) => `${where}: ${id}: ${help}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
  expect.soft(said).toEqual([]);
}

/** Presses Tab so many times, or until the page ends: whatever has the focus shows it. Gives what had it, a line each. */
export async function walkByTab(page: Page, presses: number): Promise<string> {
  const seen = new Set<string>();
  for (let i = 0; i < presses; i++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
      return { name: `${element.tagName} ${name}`, ring: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none" };
    });
    if (!focus) break;
    expect.soft(focus.ring, `${focus.name} shows the focus`).toBe(true);
    seen.add(focus.name);
  }
  return [...seen].join("\n");
}
