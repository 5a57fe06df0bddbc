import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { cluster, Host, needsProgram, queues } from "./host";
import { openAt, show, viewNames } from "./page";

needsProgram();

let host: Host;
test.beforeAll(async () => {
  host = await Host.start();
  await host.send({ type: "config.set", config: queues }, ...cluster);
});
test.afterAll(() => host.stop());

for (const theme of ["light", "dark"] as const) {
  test(`nothing serious is found in any view, ${theme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await openAt(page, host);
    for (const view of viewNames) {
      await show(page, view);
      await expect(page.getByText("Loading")).toHaveCount(0);
      const axe = new AxeBuilder({ page });
      const { violations } = await (theme === "dark" ? axe.withRules(["color-contrast"]) : axe).analyze(); // nothing else depends on the theme
      const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect.soft(grave.map(({ id, help, nodes }) => `${view}: ${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`)).toEqual([]);
    }
  });
}

test("on a narrow screen nothing is wider than the screen, and what is touched is large enough", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAt(page, host);
  for (const view of viewNames) {
    await show(page, view);
    await expect(page.getByText("Loading")).toHaveCount(0);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(320);
    const small = await page.getByRole("main").locator("button:not(.stream-pick):visible, select:visible, input:visible").evaluateAll((all) =>
      all.filter((one) => one.getRootNode() === document && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120)));
    expect.soft(small, view).toEqual([]);
  }
});

test("everything is reached by Tab alone, and shows that it has the focus", async ({ page }) => {
  await openAt(page, host, "#/asks/wide");
  await expect(page.locator(".why-headline")).not.toBeEmpty();
  const seen = new Set<string>();
  for (let i = 0; i < 60; i++) {
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
  for (const one of ["To the content", "Overview", "Configuration", "What if from here", "Theme", "wide", "Who would have to leave?"]) expect(names).toContain(one);
});
