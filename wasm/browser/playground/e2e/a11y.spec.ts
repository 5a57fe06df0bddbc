import { expect, test } from "@playwright/test";
import { audit, open, show, still, viewNames, walkByTab } from "./page";

for (const theme of ["light", "dark"] as const) {
  test(`nothing serious is found in any view, ${theme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    await open(page);
    await page.keyboard.press("End");
    for (const name of viewNames) {
      await show(page, name);
      await still(page);
      await audit(page, name);
    }
  });

  test(`nothing serious is found in the forms, ${theme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    await open(page);
    for (const what of ["Nodes…", "An application…", "Move an application…", "A workload…"]) {
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("menuitem", { name: new RegExp(`^${what}`) }).click();
      await page.getByRole("dialog").locator("input").first().fill("");
      await audit(page, what);
      await page.keyboard.press("Escape");
    }
    await show(page, "Configure");
    await page.getByRole("button", { name: "Placement rules…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Below the queue of another rule").first().check();
    await audit(page, "Placement rules");
    await page.keyboard.press("Escape");
    for (const [what, first] of [["Limits of users and groups…", "Add a limit"], ["Access…", undefined], ["Child template…", undefined]] as const) {
      await page.getByRole("button", { name: "Change root by a form" }).click();
      await page.getByRole("menuitem", { name: what }).click();
      if (first) await page.getByRole("dialog").getByRole("button", { name: first }).click();
      else await page.getByRole("dialog").locator("select, [type=checkbox]").first().press(what === "Access…" ? "End" : " ");
      await audit(page, what);
      await page.keyboard.press("Escape");
    }
  });
}

test("everything is reached by Tab alone, and shows that it has the focus", async ({ page }) => {
  await open(page);
  const names = await walkByTab(page, 120);
  for (const one of ["Cluster", "Learn", "Find a queue", "Theme", "Add", "Play"]) expect(names).toContain(one);
});
