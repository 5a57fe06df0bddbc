import { expect, test, type Page } from "@playwright/test";
import { defaultWorkload, generate } from "../src/model/generator";
import { complaints, dropFile, open, show } from "./page";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const timer = (page: Page) => page.getByRole("region", { name: "Time", exact: true }).getByRole("timer");

/** Nodes, and so many minutes of applications. */
function journal(minutes: number): string {
  return generate({
    ...defaultWorkload(["root.default"], ["vcore", "memory"]), rate: 60, minutes, asks: [1, 1], nodes: { count: 50, capacity: { vcore: 16, memory: "64Gi" }, prefix: "n", zones: [] },
  });
}

async function expectAlive(page: Page) {
  await page.keyboard.press("Home");
  await expect(timer(page)).toHaveText("0:00.0");
  await button(page, "Play").click();
  await expect(button(page, "Pause")).toBeVisible();
  await button(page, "Pause").click();
  await expect(button(page, "Play")).toBeVisible();
}

test("two pages go their own ways", async ({ page, context }) => {
  const other = await context.newPage();
  const found = [complaints(page), complaints(other)];
  await open(page);
  await open(other);
  await page.keyboard.press("End");
  await expect(timer(page)).toHaveText("20:40.0");
  await expect(timer(other)).toHaveText("0:00.0");
  await other.close();
  await expectAlive(page);
  expect(found.flat()).toEqual([]);
});

test("a page that is loaded again in the middle of an import begins anew", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await dropFile(page, "large.jsonl", journal(200));
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("banner")).toContainText("First steps", { timeout: 30_000 });
  await expectAlive(page);
  expect(found).toEqual([]);
});

test("whatever is pressed during an import comes after it, or not at all", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await dropFile(page, "large.jsonl", journal(100));
  for (const key of [" ", "ArrowRight", "End", "Home", "Shift+ArrowRight", " ", "ArrowLeft", "2", "1"]) await page.keyboard.press(key);
  await expect(page.getByRole("banner")).toContainText("large.jsonl", { timeout: 30_000 });
  await expect(page.getByRole("progressbar")).toHaveCount(0, { timeout: 30_000 });
  await expectAlive(page);
  expect(found).toEqual([]);
});

test("keys that are pressed while the page loads break nothing", async ({ page }) => {
  const found = complaints(page);
  await page.goto("./");
  for (const key of [" ", "End", "ArrowLeft", "/", "?", "Escape", "3", "Home", "Shift+ArrowRight"]) await page.keyboard.press(key);
  await open(page);
  await page.keyboard.press("Escape"); // the help may have opened behind the key that was to close it
  await expectAlive(page);
  expect(found).toEqual([]);
});

test("clicks that come twice, and a window that changes while it plays", async ({ page }) => {
  const found = complaints(page);
  await open(page, "#lesson=thousand");
  await button(page, "Play").dblclick();
  await expect(button(page, "Play")).toBeVisible();
  await button(page, "Play").click();
  await page.keyboard.press(" ");
  await page.keyboard.press(" ");
  for (const [width, height] of [[700, 500], [360, 640], [2560, 1440], [320, 300], [1440, 900]] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: width % 3 === 0 ? "dark" : "light" });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await expect(button(page, "Pause")).toBeVisible();
  await button(page, "Pause").click();
  await expectAlive(page);
  expect(found).toEqual([]);
});

test("a comparison that is left, and a lesson that opens meanwhile", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await show(page, "Compare");
  await button(page, "Compare A with B").click();
  await expect(button(page, "Cancel")).toBeVisible();
  await show(page, "Learn");
  await page.locator("main").getByRole("link", { name: /A thousand nodes/ }).click();
  await expect(page.getByRole("banner")).toContainText("A thousand nodes");
  await show(page, "Compare");
  await expect(button(page, "Compare something else")).toBeVisible({ timeout: 60_000 });
  await show(page, "Cluster");
  await expectAlive(page);
  expect(found).toEqual([]);
});
