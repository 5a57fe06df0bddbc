import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Host, needsProgram } from "./host";
import { openAt } from "./page";

needsProgram();

const shipped = "../../../build/policies";
const module = existsSync(shipped) ? readdirSync(shipped).find((file) => file.endsWith(".wasm")) : undefined;
test.skip(module === undefined, `skipped, because there is no module in ${shipped}: make plugins`);

test("modules of the folder are shown, and those that are refused with the reason", async ({ page }) => {
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), "quern-dashboard-"));
  const name = (module ?? "").replace(".wasm", "");
  copyFileSync(join(shipped, module ?? ""), join(folder, module ?? ""));
  const host = await Host.start(["--ephemeral", "--policies", folder]);
  try {
    await openAt(page, host, "#/policies");
    await expect(page.getByRole("row", { name: new RegExp(`^${name} `) })).toContainText("serves");
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.locator(".why")).toContainText("SHA-256");
    writeFileSync(join(folder, "broken.wasm"), "this is no module");
    await expect(page.getByRole("row", { name: /^broken refused/ })).toBeVisible({ timeout: 30_000 });
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true });
  }
});
