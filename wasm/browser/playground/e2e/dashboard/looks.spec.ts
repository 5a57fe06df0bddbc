import { expect, test } from "@playwright/test";
import { audit, walkByTab } from "../page";
import { needsProgram, smallCluster } from "./host";
import { openAt, show, viewNames } from "./page";

needsProgram();

const small = smallCluster();

for (const theme of ["light", "dark"] as const) {
  test(`nothing serious is found in any view, ${theme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await openAt(page, small.host);
    for (const view of viewNames) {
      await show(page, view);
      await expect(page.getByText("Loading")).toHaveCount(0);
      await audit(page, view, theme === "dark" ? ["color-contrast"] : undefined); // nothing else depends on the theme
    }
  });
}

test("on a narrow screen nothing is wider than the screen, and what is touched is large enough", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAt(page, small.host);
  for (const view of viewNames) {
    await show(page, view);
    await expect(page.getByText("Loading")).toHaveCount(0);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(320);
    const small = await page.getByRole("main").locator("button:not(.stream-pick):visible, select:visible, input:visible").evaluateAll((all) =>
      all.filter((one) => one.getRootNode() === document && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120)));
    expect.soft(small, view).toEqual([]);
  }
});

for (const [width, theme] of [[390, "light"], [360, "dark"], [320, "light"]] as const) {
  test(`all ten views are in sight at ${width} pixels, apart from one another, ${theme}`, async ({ page }, testInfo) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme });
    await openAt(page, small.host);
    const boxes = await page.getByRole("navigation", { name: "Views" }).getByRole("link").evaluateAll((all) => all.map((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return { name: one.textContent, left, right, top, bottom };
    }));
    await page.screenshot({ path: testInfo.outputPath("views.png") });
    expect(boxes.map(({ name }) => name)).toEqual(viewNames);
    expect(boxes.filter(({ left, right }) => left < 0 || right > width)).toEqual([]);
    const close = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.top < b.bottom && b.top < a.bottom && a.left < b.right + 6 && b.left < a.right + 6).map((b) => `${a.name} and ${b.name}`));
    expect(close).toEqual([]);
  });
}

test("everything is reached by Tab alone, and shows that it has the focus", async ({ page }) => {
  await openAt(page, small.host, "#/asks/wide");
  await expect(page.locator(".why-headline")).not.toBeEmpty();
  const names = await walkByTab(page, 60);
  for (const one of ["To the content", "Overview", "Configuration", "What if from here", "Theme", "wide", "Which allocations would it preempt?"]) expect(names).toContain(one);
});
