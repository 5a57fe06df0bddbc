import { expect, test, type Page } from "@playwright/test";
import { audit, complaints, open } from "./page";

const chart = (page: Page) => page.getByRole("application", { name: "Nodes over time" });
const said = (page: Page) => page.locator(".spans-said");

test("a lesson about time shows the nodes over time, and keys give words", async ({ page }) => {
  const found = complaints(page);
  await open(page, "#lesson=backfill&step=2");
  await expect(page.locator(".spans-planned")).toHaveCount(1);
  await chart(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(said(page)).toContainText("run of run in root.a runs on n1 since 0s. It promises to end at 1h.");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(said(page)).toContainText("wide of wide in root.a waits. It starts on n1 at 1h at the latest");
  await page.keyboard.press("Enter");
  await expect(page.locator(".why")).toContainText("wide");
  await audit(page, "over time");
  await page.getByLabel("Rows").selectOption("By queue");
  await expect(page.getByRole("application", { name: "Queues over time" })).toBeVisible();
  await page.getByRole("button", { name: "Show as table", exact: true }).first().click();
  await expect(page.getByRole("region", { name: "Nodes over time, as a table" }).getByRole("row", { name: /^wide / })).toContainText("Planned start");
  await page.getByRole("button", { name: "Show over time" }).click();
  await expect(page.locator(".grid-table")).toBeVisible();
  expect(found).toEqual([]);
});

test("on a phone, a tap gives words, and nothing is wider than the screen", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: "dark", serviceWorkers: "block" });
  const page = await context.newPage();
  await open(page, "#lesson=window&step=2");
  await page.getByRole("tab", { name: "Nodes" }).click();
  await expect(page.locator(".spans-band")).toHaveCount(2);
  const box = await chart(page).boundingBox();
  if (!box) throw new Error("expected the chart, found nothing");
  await page.touchscreen.tap(box.x + 110, box.y + 54);
  await expect(said(page)).toContainText("fills of fills in root.a runs on n1 since 0s. It promises to end at 2h30m.");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await audit(page, "over time");
  await context.close();
});
