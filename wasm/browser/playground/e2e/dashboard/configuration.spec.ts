import { expect, test, type Page } from "@playwright/test";
import { Host, needsProgram, queues } from "./host";
import { openAt } from "./page";

needsProgram();

const more = `${queues}          - name: late\n            resources: { max: { vcore: 1 } }\n`;

let host: Host;
test.beforeEach(async () => {
  host = await Host.start();
  await host.configure(queues);
});
test.afterEach(() => host.stop());

async function write(page: Page, text: string) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

const inForce = async () => (await fetch(`${host.address}v1/config`)).text();

test("a change is tried by the host, applied, kept in the history, and rolled back", async ({ page }) => {
  await openAt(page, host, "#/configuration");
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(page.locator(".cm-content")).toContainText("name: prod");
  await write(page, more);
  await expect(changes.locator(".configure-change", { hasText: "root.late" })).toContainText("resources.max.vcore");
  expect(await inForce()).toBe(queues); // trying changes nothing
  await page.getByRole("button", { name: "Differences" }).click();
  await expect(page.locator(".cm-changedLine").first()).toBeVisible();
  await changes.getByRole("button", { name: "Apply" }).click();
  await expect(changes.getByText("Applied. It is in force.")).toBeVisible();
  expect(await inForce()).toBe(more);
  await expect(page.getByRole("region", { name: "History" }).getByText("Number 2")).toBeVisible();

  await page.getByRole("button", { name: "Roll back to 1…" }).click();
  await expect(changes.locator(".configure-change", { hasText: "root.late" })).toContainText("gone");
  await changes.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("region", { name: "History" }).getByText("Number 3")).toBeVisible();
  expect(await inForce()).toBe(queues);
});

test("what is wrong with a text is told with its place, and cannot be applied", async ({ page }) => {
  await openAt(page, host, "#/configuration");
  await expect(page.locator(".cm-content")).toContainText("name: prod");
  await write(page, queues.replace("vcore: 4", "vcore: many"));
  const problem = page.getByRole("region", { name: "Problems" }).getByRole("button");
  await expect(problem).toContainText("Line 7");
  await expect(problem).toContainText("many");
  await expect(page.getByRole("button", { name: "Apply" })).toBeDisabled();
  await problem.click();
  await expect(page.locator(".cm-activeLine")).toContainText("vcore: many");
});

test("who was overtaken is told, loses nothing, and takes nothing back", async ({ page }) => {
  await openAt(page, host, "#/configuration");
  await expect(page.locator(".cm-content")).toContainText("name: prod");
  await write(page, more);
  await expect(page.getByRole("button", { name: "Apply" })).toBeEnabled();
  // The page does not hear of the other change before it applies its own.
  await page.route("**/v1/config*", async (route) => {
    if (route.request().method() === "PUT" && !route.request().url().includes("dry-run")) await host.configure(queues.replace("vcore: 4", "vcore: 5"));
    await route.continue();
  }, { times: 1 });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Another configuration was put in force meanwhile.")).toBeVisible();
  expect(await inForce()).toContain("vcore: 5");
  await expect(page.locator(".cm-content")).toContainText("name: late");
  await page.getByRole("button", { name: "Compare my text with it" }).click();
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.locator(".configure-change", { hasText: "root.prod" })).toContainText("resources.max.vcore");
  await changes.getByRole("button", { name: "Apply" }).click();
  await expect(changes.getByText("Applied. It is in force.")).toBeVisible();
  expect(await inForce()).toBe(more);
});

test("keys and their meanings are suggested from the host's own table", async ({ page }) => {
  await openAt(page, host, "#/configuration");
  await expect(page.locator(".cm-content")).toContainText("name: prod");
  await write(page, queues);
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("            maxa");
  await page.keyboard.press("Control+Space");
  await expect(page.getByRole("option", { name: /maxapplications/ })).toBeVisible();
});
