import { expect, test } from "@playwright/test";
import { freePort, Host, needsProgram } from "./host";
import { openAt, show, viewNames } from "./page";

needsProgram();

test("every view says that a cluster is simulated, until another host answers", async ({ page }) => {
  test.slow();
  const port = await freePort();
  let host = await Host.start(["--demo", "--ephemeral"], port);
  try {
    await openAt(page, host);
    const mark = page.getByRole("banner").locator(".simulated");
    await expect(mark).toHaveText(/^Simulated cluster, 60× speed \d+ \w+, \d\d:\d\d$/);
    const before = await mark.textContent();
    await expect(mark).not.toHaveText(before ?? ""); // a minute takes a second
    for (const view of viewNames) {
      await show(page, view);
      await expect.soft(mark, view).toBeInViewport({ ratio: 1 });
    }
    for (const width of [320, 720, 1060, 1690, 1920]) {
      await page.setViewportSize({ width, height: 640 });
      await expect.soft(mark, `${width} wide`).toBeInViewport({ ratio: 1 });
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), `${width} wide`).toBeLessThanOrEqual(width);
      const views = await page.getByRole("navigation", { name: "Views" }).boundingBox();
      const box = await mark.boundingBox();
      expect.soft(box && views && (box.x >= views.x + views.width || box.y + box.height <= views.y), `${width} wide: beside the views`).toBe(true);
    }
    await host.stop();
    host = await Host.start(["--ephemeral"], port);
    await expect(page.getByRole("status").getByText("Live")).toBeVisible({ timeout: 20_000 });
    await expect(mark).toHaveCount(0);
  } finally {
    await host.stop();
  }
});
