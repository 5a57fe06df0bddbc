import { expect, test, type Page } from "@playwright/test";
import { complaints, open } from "./page";

/** How long to play, in seconds. */
const seconds = Number(process.env.QUERN_LONG ?? "6");

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const nodes = (page: Page) => page.getByRole("region", { name: "Nodes", exact: true }).first();
const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const root = (page: Page) => page.getByRole("tree", { name: "Queues and applications" }).getByRole("treeitem").first();

/** Numbers from 0 to below 1, the same in each run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function add(page: Page, what: string) {
  await button(page, "Add").click();
  await page.getByRole("menuitem", { name: new RegExp(`^${what}`) }).click();
}

async function moreNodes(page: Page, name: string) {
  await add(page, "Nodes…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Add 1 node" }).click();
  await expect(dialog).toBeHidden();
}

async function moreApplications(page: Page, id: string) {
  await add(page, "An application…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("ID", { exact: true }).fill(id);
  await dialog.getByLabel("How many").fill("3");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(dialog).toBeHidden();
}

/** Draws the moment to a place of what is known. */
async function seek(page: Page, share: number) {
  await page.getByRole("slider", { name: "Moment" }).evaluate((slider: HTMLInputElement, to) => {
    slider.value = String(Number(slider.max) * to);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, share);
}

async function playFor(page: Page, milliseconds: number) {
  await button(page, "Play").click();
  await page.waitForTimeout(milliseconds);
  if (await button(page, "Pause").isVisible()) await button(page, "Pause").click({ timeout: 3000 }).catch(() => undefined); // it may come to its end just now
  await expect(button(page, "Play")).toBeVisible();
}

async function cut(page: Page) {
  const ahead = page.getByRole("button", { name: /inputs? ahead/ });
  if (!(await ahead.isVisible())) return;
  await ahead.click();
  await page.getByRole("menuitem", { name: "Forget them" }).click();
}

/** What the core says of the root queue, and what the page's own model says of nodes and asks. */
async function figures(page: Page) {
  const told = (await root(page).getAttribute("aria-label")) ?? "";
  const rows = await nodes(page).getByRole("row").evaluateAll((all) => all.slice(1).map((row) => [...row.querySelectorAll("td, th")].map((cell) => cell.textContent)));
  const inUse = rows.reduce((sum, row) => sum + parseFloat(row.find((text) => text.includes(" of ")) ?? "0"), 0);
  const asks = await inspector(page).getByText(/^\d[\d,]* pending, \d[\d,]* allocated$/).textContent();
  const [pending = "", allocated = ""] = (asks ?? "").replaceAll(",", "").match(/\d+/g) ?? [];
  const placed = rows.reduce((sum, row) => sum + Number(row.find((text, i) => i > 2 && /^\d+$/.test(text)) ?? "0"), 0);
  return {
    core: { inUse: parseFloat(/^root, ([\d.]+) vcore/.exec(told)?.[1] ?? "0"), pending: Number(/(\d+) asks? pending/.exec(told)?.[1] ?? "0"), allocated: placed },
    model: { inUse: Math.round(inUse * 1000) / 1000, pending: Number(pending), allocated: Number(allocated) },
  };
}

test("however one jumps about, what is drawn is what the scheduler says", async ({ page }) => {
  test.setTimeout((seconds + 60) * 1000);
  const found = complaints(page);
  await open(page);
  await button(page, "Close the lesson").click(); // which selects something at each step: the figures are those of the whole cluster
  await nodes(page).getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("combobox", { name: /^Speed/ }).selectOption({ label: "max" });
  const roll = dice(2026);
  const done: string[] = [];
  const deeds: readonly (readonly [string, () => Promise<void>])[] = [
    ["seek", () => seek(page, roll())], ["seek", () => seek(page, roll())],
    ["step", () => page.keyboard.press("ArrowRight")], ["back", () => page.keyboard.press("ArrowLeft")],
    ["instant", () => page.keyboard.press("Shift+ArrowRight")], ["instant", () => page.keyboard.press("Shift+ArrowRight")],
    ["home", () => page.keyboard.press("Home")], ["play", () => playFor(page, 60 + 200 * roll())],
    ["nodes", () => moreNodes(page, `more${done.length}`)], ["applications", () => moreApplications(page, `own${done.length}`)], ["cut", () => cut(page)],
  ];
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const [name, deed] = deeds[Math.floor(roll() * deeds.length)] ?? deeds[0] ?? ["", () => Promise.resolve()];
    done.push(name);
    await deed();
    await expect.poll(async () => {
      const { core, model } = await figures(page);
      return JSON.stringify(core) === JSON.stringify(model) ? "the same" : `${JSON.stringify(core)} and ${JSON.stringify(model)}`;
    }, { message: `after ${done.slice(-12).join(", ")}` }).toBe("the same");
  }
  process.stdout.write(`${done.length} deeds: ${done.join(", ")}\n`);
  await expect(page.getByRole("alert")).toBeEmpty();
  expect(found).toEqual([]);
});
