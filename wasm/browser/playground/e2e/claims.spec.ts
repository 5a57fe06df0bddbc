import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { complaints, dropFile, kept, open, show } from "./page";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const timer = (page: Page) => page.getByRole("region", { name: "Time", exact: true }).getByRole("timer");
const row = (page: Page, name: string) => page.getByRole("tree", { name: "Queues and applications" }).getByRole("treeitem", { name: new RegExp(`^${name}, `) });

/** The text of a file that a click saves. */
async function saved(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path(), "utf8");
}

async function share(page: Page, item: string) {
  await button(page, "Share and keep").click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function compare(page: Page) {
  await show(page, "Compare");
  await page.getByLabel("Minutes").fill("5");
  await button(page, "Compare A with B").click();
  await expect(page.getByRole("region", { name: "Figures of both runs" })).toBeVisible({ timeout: 60_000 });
}

test("the tree tells use, guarantee, max, headroom, priority, offset and fence of a queue", async ({ page }) => {
  await open(page);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(row(page, "root")).toHaveAttribute("aria-label", /^root, [\d.]+ vcore in use, max 24, headroom [\d.]+, \d+ running, \d+ asks? pending$/);
  await expect(page.getByRole("treeitem", { name: /vcore in use, guaranteed [\d.]+/ }).first()).toBeVisible();
  await page.goto("./#lesson=offsets-and-fences");
  await expect(page.getByRole("banner")).toContainText("Offsets and fences");
  await button(page, "Details of every queue").click();
  await expect(row(page, "sandbox")).toContainText(/offset −10.*fence.*priority −10/s);
  await expect(row(page, "prod")).toContainText(/offset \+5.*priority 5/s);
});

test("a comparison draws use, stranded room, pending asks and waits, and tells fairness", async ({ page }) => {
  await open(page);
  await compare(page);
  for (const chart of [/^Used, /, /^Stranded, /, /^Pending/, /^Waits/]) await expect(page.locator(".compare-chart").filter({ has: page.getByRole("heading", { name: chart }) })).toBeVisible();
  await expect(page.getByRole("region", { name: "Figures of both runs" }).getByRole("row", { name: /[Ff]air/ }).first()).toBeVisible();
});

test("the configuration that is exported is the one that was dropped", async ({ page }) => {
  const text = "partitions:\n- queues:\n  - name: root\n    queues:\n    - name: default\n    - name: kept # with a comment\n";
  await open(page);
  await dropFile(page, "kept.yaml", text);
  await page.getByRole("dialog", { name: "When should kept.yaml take effect?" }).getByRole("button", { name: /^From this moment on/ }).click();
  await expect(row(page, "kept")).toBeVisible();
  expect(await saved(page, () => share(page, "Export the configuration"))).toBe(text);
});

test("where less motion is wanted nothing moves by itself", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page);
  for (const name of ["Learn", "Configure", "Cluster"] as const) {
    await show(page, name);
    const moving = await page.evaluate(() => document.getAnimations().map((one) => one.effect?.getComputedTiming().duration).filter((duration) => Number(duration) > 1));
    expect(moving).toEqual([]);
  }
});

test("a crash in the middle of a session keeps the journal for export", async ({ page }) => {
  await open(page);
  await page.keyboard.press("End");
  await expect(timer(page)).toHaveText("20:40.0");
  for (const worker of page.workers()) await worker.evaluate(() => { setTimeout(() => { throw new Error("out of luck"); }); });
  await expect(page.getByRole("heading", { name: "The scheduler stopped" })).toBeVisible();
  await expect(page.getByText("out of luck")).toBeVisible();
  const journal = await saved(page, () => button(page, "Export the journal").click());
  expect(journal).toContain('"id":"train"');
  await button(page, "Restart").click();
  await open(page);
  await dropFile(page, "journal.jsonl", journal);
  await expect(page.getByRole("banner")).toContainText("journal.jsonl");
  await page.keyboard.press("End");
  await expect(timer(page)).toHaveText("20:40.0");
});

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("a whole session asks nobody but its own server, and goes on without a network", async ({ page, context, baseURL }) => {
    test.setTimeout(90_000);
    const found = complaints(page);
    const abroad: string[] = [];
    context.on("request", (request) => {
      if (!request.url().startsWith(baseURL ?? "") && !/^(data|blob):/.test(request.url())) abroad.push(request.url());
    });
    await open(page);
    for (const name of ["Configure", "Scenarios", "Learn", "Compare", "Cluster"] as const) await show(page, name);
    await show(page, "Scenarios");
    await page.getByRole("button", { name: /^Run/ }).first().click();
    await expect(page.getByText(/\d+ passed|passes|Passed/).first()).toBeVisible({ timeout: 30_000 });

    await kept(page);
    await context.setOffline(true);
    await compare(page);
    for (const name of ["Configure", "Scenarios"] as const) await show(page, name);
    await show(page, "Learn");
    await page.locator("main").getByRole("link", { name: /Offsets and fences/ }).click();
    await expect(page.getByRole("banner")).toContainText("Offsets and fences");
    await expect(async () => { // the lesson goes to its first step when it is there
      await page.keyboard.press("End");
      await expect(timer(page)).not.toHaveText("0:00.0", { timeout: 500 });
    }).toPass();
    await page.getByPlaceholder("Find by ID").fill("shouting");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Inspector" })).toContainText("shouting");
    expect(abroad).toEqual([]);
    expect(found.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]); // the browser says that of what then comes from its cache
  });
});

test("a feature of a megabyte is opened, looked at and given up without a stop of the page", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  const scenario = (i: number) => `  Scenario: number ${i}\n    Given a node "n${i}" with 8 vcore\n    When "a${i}" asks in root.default for 5 vcore\n    Then "a${i}" is allocated on "n${i}"\n`;
  await dropFile(page, "long.feature", `Feature: long\n${Array.from({ length: 7000 }, (_, i) => scenario(i)).join("")}`);
  await expect(page.getByRole("heading", { name: "long.feature" })).toBeVisible();
  const begun = Date.now();
  await show(page, "Cluster");
  await button(page, "Play").click();
  await expect(button(page, "Pause")).toBeVisible();
  expect(Date.now() - begun).toBeLessThan(10_000); // some 300 ms on a machine that does nothing else
  expect(found).toEqual([]);
});
