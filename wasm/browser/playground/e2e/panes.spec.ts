import { expect, test, type Page } from "@playwright/test";
import { audit, complaints, open, show } from "./page";

const separator = (page: Page, name: RegExp) => page.getByRole("separator", { name });
const between = { tree: /^Between the queues/, side: /inspector$/, low: /^Between the nodes/, time: /^Between the charts/ };

async function sizeOf(page: Page, panel: string) {
  const box = await page.locator(`.cluster-${panel}`).boundingBox();
  if (!box) throw new Error(`expected a pane ${panel}`);
  return box;
}

test("panes are dragged, moved by keys, brought back, and stay for the next visit", async ({ page }) => {
  const found = complaints(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page);
  const before = await sizeOf(page, "tree");
  const bar = separator(page, between.tree);
  const now = Number(await bar.getAttribute("aria-valuenow"));
  expect(Math.abs(now - (100 * before.width) / 1260)).toBeLessThan(1);
  await bar.hover();
  await page.mouse.down();
  await page.mouse.move(before.x + before.width + 104, 400, { steps: 4 });
  await page.mouse.up();
  expect((await sizeOf(page, "tree")).width).toBeGreaterThan(before.width + 80);

  await bar.focus();
  const dragged = (await sizeOf(page, "tree")).width;
  await page.keyboard.press("ArrowLeft");
  await expect.poll(async () => (await sizeOf(page, "tree")).width).toBeLessThan(dragged - 15);
  await expect(bar).not.toHaveAttribute("aria-valuenow", String(now));
  await expect(page.getByRole("timer")).toHaveText("0:00.0"); // the key was not for the session
  await page.keyboard.press("End");
  await expect(bar).toHaveAttribute("aria-valuenow", "34");
  await expect(page.getByRole("timer")).toHaveText("0:00.0");

  const low = (await sizeOf(page, "stream")).height;
  await separator(page, between.low).focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(async () => (await sizeOf(page, "stream")).height).toBeGreaterThan(low + 50);
  const side = (await sizeOf(page, "side")).width;
  await separator(page, between.side).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await sizeOf(page, "side")).width).toBeLessThan(side - 80);
  const charts = (await sizeOf(page, "time")).width;
  await separator(page, between.time).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await sizeOf(page, "time")).width).toBeGreaterThan(charts + 15);
  await audit(page, "panes of other sizes");

  await page.reload();
  await expect(bar).toHaveAttribute("aria-valuenow", "34", { timeout: 30_000 });
  await bar.dblclick();
  await expect.poll(async () => (await sizeOf(page, "tree")).width).toBe(before.width);
  await separator(page, between.side).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await sizeOf(page, "side")).width).toBe(side);
  expect(found).toEqual([]);
});

test("chosen sizes leave room for everything at any width, and are of no account where the panes are stacked", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("quern-panes", JSON.stringify({ tree: 99, side: 99, low: 99, time: 99, other: 1 })));
  await open(page);
  for (const width of [1000, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    const main = await page.evaluate(() => { const box = document.querySelector("main"); return box ? box.scrollWidth <= box.clientWidth : false; });
    expect(main, `nothing scrolls sideways at ${width}`).toBe(true);
    for (const pane of ["tree", "grid", "stream", "side"]) expect((await sizeOf(page, pane)).width, `${pane} at ${width}`).toBeGreaterThan(90);
  }
  await page.setViewportSize({ width: 800, height: 800 });
  await expect(page.getByRole("separator")).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await sizeOf(page, "side")).width).toBeGreaterThan(350);
});

test("the bar of time is there where the present moment matters, always in the same place", async ({ page }) => {
  await open(page);
  const time = page.getByRole("region", { name: "Time", exact: true });
  const place = await time.boundingBox();
  for (const view of ["Configure", "Scenarios"] as const) {
    await show(page, view);
    await expect(time).toBeVisible();
    expect(await time.boundingBox(), view).toEqual(place);
  }
  await show(page, "Configure");
  await time.getByRole("button", { name: "Forward by one decision" }).click();
  await expect(time).toContainText("5 decisions");
  for (const view of ["Compare", "Learn"] as const) {
    await show(page, view);
    await expect(time).toBeHidden();
  }
});

test("at 400 % zoom the header leaves most of the window to the view, and scrolls away with it", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await open(page, "#lesson=first-steps&step=5");
  const header = await page.getByRole("banner").boundingBox();
  expect(header?.height).toBeLessThan(70);
  await expect(page.getByRole("region", { name: "Time", exact: true })).not.toBeInViewport();
  await page.evaluate(() => { scrollTo(0, 100); });
  await expect(page.getByRole("banner")).not.toBeInViewport();
});
