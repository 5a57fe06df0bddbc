import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dropFile } from "../page";
import { Host, needsProgram } from "./host";
import { openAt } from "./page";

needsProgram();

const shipped = "../../../build/policies";
const modules = existsSync(shipped) ? readdirSync(shipped).filter((file) => file.endsWith(".wasm")).slice(0, 2) : [];
const [module = "", other = ""] = modules;
test.skip(other === "", `skipped, because there are no modules in ${shipped}: make plugins`);

let folder: string;
test.beforeEach(() => { folder = mkdtempSync(join(tmpdir(), "quern-dashboard-")); });
test.afterEach(() => { rmSync(folder, { recursive: true }); });

/** Does something with a host that has the folder. */
async function withHost(args: readonly string[], run: (host: Host) => Promise<void>) {
  const host = await Host.start(["--ephemeral", "--policies", folder, ...args]);
  try {
    await run(host);
  } finally {
    await host.stop();
  }
}

test("modules of the folder are shown, and those that are refused with the reason", async ({ page }) => {
  test.slow();
  const name = module.replace(".wasm", "");
  copyFileSync(join(shipped, module), join(folder, module));
  await withHost([], async (host) => {
    await openAt(page, host, "#/policies");
    await expect(page.getByRole("row", { name: new RegExp(`^${name} `) })).toContainText("serves");
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.locator(".why")).toContainText("SHA-256");
    await expect(page.getByText("the host was started without --policy-upload")).toBeVisible();
    await expect(page.getByRole("button", { name: /Upload|Remove|Roll back/ })).toHaveCount(0);
    writeFileSync(join(folder, "broken.wasm"), "this is no module");
    await expect(page.getByRole("row", { name: /^broken refused/ })).toBeVisible({ timeout: 30_000 });
  });
});

test("a module is uploaded, replaced, rolled back, removed and put back", async ({ page }) => {
  test.slow();
  const [first, second] = [module, other].map((file) => readFileSync(join(shipped, file))) as [Buffer, Buffer];
  const sum = (of: Buffer) => createHash("sha256").update(of).digest("hex");
  await withHost(["--policy-upload"], async (host) => {
    await openAt(page, host, "#/policies");
    const dialog = page.getByRole("dialog", { name: "Upload policy modules" });
    const send = async () => {
      await dialog.getByRole("button", { name: "Upload 1 module" }).click();
      await expect(dialog.getByText("The host has accepted it.")).toBeVisible({ timeout: 30_000 });
      await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
    };
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload…" }).click();
    await (await chooser).setFiles([{ name: "mine.wasm", mimeType: "application/wasm", buffer: first }, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("?") }]);
    await expect(dialog).toContainText("New.");
    await expect(dialog).toContainText("It is neither a module (.wasm) nor settings (.toml)");
    await send();
    await page.getByRole("link", { name: "mine", exact: true }).click();
    const why = page.locator(".why");
    await expect(why).toContainText(sum(first));
    await expect(why).toContainText("There is no previous version to roll back to.");

    await dropFile(page, "mine.wasm", second);
    await expect(dialog).toContainText("Replaces the current version");
    await send();
    await expect(why).toContainText(sum(second));
    await why.getByRole("button", { name: "Roll back…" }).click();
    await page.getByRole("dialog", { name: "Roll back mine" }).getByRole("button", { name: "Roll back" }).click();
    await expect(why).toContainText(sum(first));
    expect(readFileSync(join(folder, "mine.wasm")).equals(first)).toBe(true);

    await why.getByRole("button", { name: "Remove…" }).click();
    await page.getByRole("dialog", { name: "Remove mine" }).getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("This host has no policy modules")).toBeVisible();
    expect(existsSync(join(folder, "mine.wasm"))).toBe(false);
    await page.getByRole("button", { name: "Put it back" }).click();
    await expect(page.getByRole("row", { name: /^mine serves/ })).toBeVisible();
  });
});

test("a module that the host refuses changes nothing, and the reason is told in its words", async ({ page }) => {
  copyFileSync(join(shipped, module), join(folder, "mine.wasm"));
  await withHost(["--policy-upload"], async (host) => {
    await openAt(page, host, "#/policies");
    await expect(page.getByRole("row", { name: /^mine serves/ })).toBeVisible();
    await dropFile(page, "mine.wasm", "junk");
    const dialog = page.getByRole("dialog", { name: "Upload policy modules" });
    await dialog.getByRole("button", { name: "Upload 1 module" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The module is refused");
    await expect(dialog.getByRole("alert")).toContainText("a module begins with the bytes 00 61 73 6d, this one with 6a 75 6e 6b");
    await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("row", { name: /^mine serves/ })).toBeVisible();
    expect(readFileSync(join(folder, "mine.wasm")).equals(readFileSync(join(shipped, module)))).toBe(true);
  });
});

test("a role that may not change policies is told so", async ({ page }) => {
  const tokens = join(folder, "tokens.toml");
  writeFileSync(tokens, `[[token]]\nsha256 = "${createHash("sha256").update("look").digest("hex")}"\nuser = "ann"\nrole = "operator"\n`, { mode: 0o600 });
  await withHost(["--policy-upload", "--tokens", tokens], async (host) => {
    await page.goto(`${host.address}#/policies`);
    const dialog = page.getByRole("dialog", { name: "This host requires a token" });
    await dialog.getByLabel("Token", { exact: true }).fill("look");
    await dialog.getByRole("button", { name: "Use this token" }).click();
    await expect(page.getByText("Only administrators may upload")).toBeVisible();
    await expect(page.getByRole("button", { name: "Upload…" })).toHaveCount(0);
  });
});
