import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { Host, needsProgram } from "./host";

needsProgram();

const secret = "reader-of-the-dashboard";
const operator = "operator-of-the-cluster";
const entry = (token: string, user: string, role: string) => `[[token]]\nsha256 = "${createHash("sha256").update(token).digest("hex")}"\nuser = "${user}"\nrole = "${role}"\n`;
let folder: string;
let host: Host;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quern-dashboard-"));
  const file = join(folder, "tokens.toml");
  writeFileSync(file, entry(secret, "ann", "viewer") + entry(operator, "eve", "operator"), { mode: 0o600 });
  host = await Host.start(["--ephemeral", "--tokens", file]);
});
test.afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

test("a host that wants a token is given one by hand, which is kept in the page alone", async ({ page }) => {
  await page.goto(host.address);
  const dialog = page.getByRole("dialog", { name: "This host requires a token" });
  await expect(dialog).toBeVisible();
  await expect(page.getByRole("status").getByText("No access")).toBeVisible();
  await dialog.getByLabel("Token", { exact: true }).fill("a guess");
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(dialog.getByText("The host refuses the token that was sent")).toBeVisible();
  await dialog.getByLabel("Token", { exact: true }).fill(secret);
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByRole("status").getByText("Live")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("No ask waits.");
  await expect(dialog).toHaveCount(0);
  expect(await page.evaluate((text) => [sessionStorage, localStorage].some((store) => JSON.stringify(store).includes(text)) || location.href.includes(text) || document.cookie !== "", secret)).toBe(false);
  await page.reload();
  await expect(dialog).toBeVisible();
});

test("if the user says so, it is kept until the tab is closed", async ({ page }) => {
  await page.goto(host.address);
  const dialog = page.getByRole("dialog", { name: "This host requires a token" });
  await dialog.getByLabel("Token", { exact: true }).fill(secret);
  await dialog.getByLabel("Keep it until this tab is closed").check();
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByRole("status").getByText("Live")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("status").getByText("Live")).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test("what a role may not read is left out, and the page says so", async ({ page }) => {
  const inputs = [{ type: "app.add", id: "secret", queue: "root.default", user: "bob" }, { type: "ask.add", id: "plan", app: "secret", resources: { vcore: 1 } }];
  const sent = await fetch(`${host.address}v1/inputs`, { method: "POST", headers: { Authorization: `Bearer ${operator}` }, body: inputs.map((input) => JSON.stringify(input)).join("\n") });
  expect(sent.status).toBe(200);
  await page.goto(`${host.address}#/asks/plan`);
  const dialog = page.getByRole("dialog", { name: "This host requires a token" });
  await dialog.getByLabel("Token", { exact: true }).fill(secret);
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.locator(".why")).toContainText("1 vcore");
  await expect(page.locator(".why")).toContainText("Explanations are for operators");
});

test("what if works with a token, too", async ({ page, context }) => {
  test.slow();
  await page.goto(host.address);
  const dialog = page.getByRole("dialog", { name: "This host requires a token" });
  await dialog.getByLabel("Token", { exact: true }).fill(secret);
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByRole("status").getByText("Live")).toBeVisible();
  const opens = context.waitForEvent("page");
  await page.getByRole("button", { name: "What if from here" }).click();
  const playground = await opens;
  await expect(playground.locator(".header-brand")).toContainText("as it was at", { timeout: 60_000 });
});
