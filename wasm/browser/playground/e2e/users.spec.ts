import { expect, test } from "@playwright/test";
import { complaints, open, still } from "./page";

test("users and groups show what they use of their limits, beside the queues and in the inspector", async ({ page }) => {
  const found = complaints(page);
  await open(page, "#lesson=user-limits");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("button", { name: "Users and groups against their limits" }).click();
  const users = page.getByRole("region", { name: "Users" });
  const table = users.getByRole("table", { name: "Users and groups, the ones nearest to a limit first" });
  await expect(table.getByRole("row").filter({ hasText: "group course" })).toContainText("6 of 6 vcore");
  await expect(table.getByRole("row").filter({ hasText: "group course" })).toContainText("at its limit");
  await expect(table.getByRole("row").filter({ hasText: "user bob" })).toContainText("4 of 4 vcore");
  await still(page);
  for (const [kind, width, scheme] of [["wide-light", 1440, "light"], ["wide-dark", 1440, "dark"], ["narrow-light", 390, "light"], ["narrow-dark", 390, "dark"]] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    if (width < 500) await page.getByRole("tab", { name: "Queues" }).click();
    await expect(table).toBeVisible();
    if (process.env.QUERN_SHOTS) await page.screenshot({ path: `${process.env.QUERN_SHOTS}/users-${kind}.png` });
    expect(await users.locator(".tree-users").evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await table.getByRole("button", { name: "root.lab" }).first().click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector.getByRole("region", { name: "Its limits of users and groups" })).toContainText("group course");
  if (process.env.QUERN_SHOTS) await page.screenshot({ path: `${process.env.QUERN_SHOTS}/users-inspector.png` });
  expect(found).toEqual([]);
});
