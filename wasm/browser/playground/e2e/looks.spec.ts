import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "@playwright/test";
import { open, show, still, viewNames } from "./page";

// Pictures for people to look at; nothing is judged here.
const folder = process.env.QUERN_SHOTS ?? "../../../build/shots";
const sizes = [[1440, 900], [834, 1112], [390, 844], [2560, 1440]] as const;

for (const theme of ["light", "dark"] as const) {
  for (const [width, height] of sizes) {
    test(`pictures at ${width} by ${height}, ${theme}`, async ({ page }) => {
      test.slow();
      mkdirSync(folder, { recursive: true });
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      await open(page);
      await page.keyboard.press("End");
      for (const name of viewNames) {
        await show(page, name);
        await still(page);
        await page.screenshot({ path: join(folder, `${name.toLowerCase()}-${width}-${theme}.png`) });
      }
    });
  }
}
