import { AxeBuilder } from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { open, show, still, viewNames } from "./page";

async function audit(page: Page, where: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const said = grave.map(({ id, help, nodes }) => `${where}: ${id}: ${help}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
  expect.soft(said).toEqual([]);
}

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
    await page.getByRole("dialog").getByRole("button", { name: "A rule" }).click();
    await page.getByLabel("Below the queue of another rule").first().check();
    await audit(page, "Placement rules");
    await page.keyboard.press("Escape");
    for (const [what, first] of [["Limits of users and groups…", "A limit"], ["Access…", undefined], ["Child template…", undefined]] as const) {
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
  const seen = new Set<string>();
  for (let i = 0; i < 120; i++) {
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
  const names = [...seen].join("\n");
  for (const one of ["Cluster", "Learn", "Find a queue", "Theme", "Add", "Play"]) expect(names).toContain(one);
});
