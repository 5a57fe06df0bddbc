import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { complaints, open, show, takesKeys } from "./page";

/** The example of two teams as a link, at a moment at which applications run in all of its leaves. */
function twoTeams(): string {
  const read = (file: string) => readFileSync(new URL(`../../../../docs/examples/${file}`, import.meta.url), "utf8");
  return `#s=${deflateRawSync(JSON.stringify({ t: "Two teams", j: read("preempt.jsonl"), c: read("preempt.yaml"), b: 10 })).toString("base64url")}`;
}

const editor = (page: Page) => page.getByRole("textbox", { name: "Configuration" });
const problems = (page: Page) => page.getByRole("region", { name: "Problems" });
const changes = (page: Page) => page.getByRole("region", { name: "Changes" });
const preview = (page: Page) => page.getByRole("region", { name: "Queues", exact: true });
const applyButton = (page: Page) => page.getByRole("button", { name: "Apply" });
/** A queue in the tree of the cluster. */
const queue = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });

/** All of the editor's text; lines that are out of sight are not drawn, so the tests keep to short ones. */
async function textOf(page: Page): Promise<string> {
  return (await editor(page).locator(".cm-line").allTextContents()).join("\n");
}

async function configure(page: Page, fragment?: string) {
  const found = complaints(page);
  await open(page, fragment);
  await show(page, "Configure");
  await expect(problems(page).getByText("No problems")).toBeVisible();
  return found;
}

async function example(page: Page, name: string) {
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Puts the cursor behind a piece of the text, by keys. */
async function after(page: Page, piece: string) {
  const text = await textOf(page);
  const before = text.slice(0, text.indexOf(piece) + piece.length).split("\n");
  await editor(page).focus();
  await page.keyboard.press("Control+Home");
  for (let i = 1; i < before.length; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Home");
  for (let i = 0; i < (before.at(-1)?.length ?? 0); i++) await page.keyboard.press("ArrowRight");
}

/** Chooses from what is suggested. */
async function pick(page: Page, ...keys: string[]) {
  await takesKeys(page);
  for (const key of [...keys, "Enter"]) await page.keyboard.press(key);
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.QUERN_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/configure-${name}.png` });
}

test("an error shows at its line, holds the button, and leads to its place", async ({ page }) => {
  const found = await configure(page);
  await example(page, "A small tree");
  await after(page, "application.sort.policy: state");
  await page.keyboard.type("less");
  const problem = problems(page).getByRole("button", { name: /line 23.*root\.research\.vision: application\.sort\.policy expected fifo, fair, fair-users, stateaware or a loaded policy for app\.order, found "statelessaware"/ });
  await expect(problem).toBeVisible();
  await expect(editor(page).locator(".cm-lintRange-error")).toHaveText("statelessaware");
  await expect(applyButton(page)).toBeDisabled();
  await expect(changes(page).getByText("Fix 1 error first.")).toBeVisible();
  await expect(preview(page).getByText("as of the last text without errors")).toBeVisible();
  await shot(page, "error");

  await page.keyboard.press("Control+Home");
  await problem.click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type("fair");
  await expect(problems(page).getByText("No problems")).toBeVisible();
  await expect(applyButton(page)).toBeEnabled();
  await expect(preview(page).getByText("applications: fair").first()).toBeVisible();
  expect(found).toEqual([]);
});

test("all errors of a file are listed, in the order of the text", async ({ page }) => {
  await configure(page);
  await example(page, "Six mistakes");
  await expect(problems(page).getByRole("status")).toHaveText("6 errors");
  await expect(problems(page).locator(".configure-line")).toHaveText(["line 5", "line 9", "line 9", "line 12", "line 13", "line 14"]);
  await expect(editor(page).locator(".cm-lintRange-error")).toHaveText(["max", "8", "1.5", "fiffo", "Prod", "\"alice, bob\""]);
});

test("keys and values are suggested, with their meaning, and chosen by keyboard", async ({ page }) => {
  const found = await configure(page);
  await example(page, "Two teams and preemption");
  await after(page, "- name: text");
  await page.keyboard.press("Enter");
  await page.keyboard.type("prop");
  await expect(page.getByRole("option", { name: /^properties/ })).toBeVisible();
  await pick(page);
  await page.keyboard.type("preemption.p");
  await expect(page.getByRole("option", { name: /^preemption\.policy/ })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("Fence: no victims outside the subtree.")).toBeVisible();
  await shot(page, "suggestions");
  await pick(page);
  await expect(page.locator(".cm-tooltip-autocomplete").getByRole("option")).toHaveText(["default", "fence", "disabled"]);
  await pick(page, "ArrowDown");
  expect(await textOf(page)).toContain("      - name: text\n        properties:\n          preemption.policy: fence");
  await expect(problems(page).getByText("No problems")).toBeVisible();
  await expect(preview(page).getByText("preemption fence")).toBeVisible();

  await editor(page).getByText("preemption.policy").hover();
  await expect(page.locator(".cm-tooltip-hover").getByText("disabled only; queues below cannot undo it")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  expect(found).toEqual([]);
});

test("the differences to what runs are shown, and applying puts the text in force", async ({ page }) => {
  const found = await configure(page, twoTeams());
  await expect(changes(page).getByText("Applied configuration")).toBeVisible();
  await after(page, "guaranteed: {vcore: ");
  await page.keyboard.press("Delete");
  await page.keyboard.type("12");
  await after(page, "- name: research");
  await page.keyboard.press("Enter");
  await page.keyboard.type("maxapplications: 5");
  await after(page, "- name: text");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.type("    - name: ops");
  await page.getByRole("button", { name: "Differences" }).click();
  await expect(editor(page).locator(".cm-deletedChunk").first()).toContainText("vcore: 8");
  await expect(editor(page).locator(".cm-changedLine").first()).toContainText("vcore: 12");
  const told = changes(page);
  await expect(told.getByText("guaranteed vcore: 8 → 12")).toBeVisible();
  await expect(told.getByText("maxapplications: no limit → 5")).toBeVisible();
  await expect(told.getByRole("button", { name: "root.ops" })).toBeVisible();
  await shot(page, "changes");

  await editor(page).focus();
  await page.keyboard.press("Control+Enter");
  await expect(told.getByText("Applied. It is in force.")).toBeVisible();
  await expect(told.getByText("Applied configuration")).toBeVisible();
  await expect(applyButton(page)).toBeDisabled();
  await shot(page, "applied");
  await show(page, "Cluster");
  await expect(queue(page, /ops/)).toBeVisible();
  await show(page, "Configure");
  await expect(editor(page)).toContainText("- name: ops");
  expect(found).toEqual([]);
});

test("a queue that is left out drains", async ({ page }) => {
  await configure(page, twoTeams());
  await after(page, "- name: te");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Delete");
  await page.keyboard.type("sts");
  await expect(changes(page).getByText("root.research.text")).toBeVisible();
  await applyButton(page).click();
  await expect(changes(page).getByText("root.research.text drains: its applications continue, and it accepts no new ones.")).toBeVisible();
});

test("what the scheduler rejects changes nothing, and says why", async ({ page }) => {
  await configure(page, twoTeams());
  await after(page, "- name: text");
  await page.keyboard.press("Enter");
  await page.keyboard.type("parent: true");
  await expect(changes(page).getByText("A leaf becomes a parent.")).toBeVisible();
  await applyButton(page).click();
  await expect(changes(page).getByText("Rejected. Nothing has changed.")).toBeVisible();
  await expect(changes(page).getByText("root.research.text: queues: expected a leaf, since 1 of its applications are live, found a parent")).toBeVisible();
  await expect(editor(page)).toContainText("parent: true");
  await expect(changes(page).getByText("A leaf becomes a parent.")).toBeVisible();
  await shot(page, "rejected");
  await changes(page).getByRole("button", { name: "Revert" }).click();
  await expect(editor(page)).not.toContainText("parent: true");
  await expect(changes(page).getByText("Applied configuration")).toBeVisible();
});

test("TOML is written, checked, suggested and applied as well", async ({ page }) => {
  const found = await configure(page, twoTeams());
  await page.getByRole("tab", { name: "TOML" }).click();
  await expect(editor(page)).toContainText("[[partitions.queues.queues]]");
  await expect(changes(page).getByText("The text differs from the applied configuration, but means the same.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Differences" })).toBeDisabled();
  await editor(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("[[partitions.queues.q");
  await expect(page.getByRole("option", { name: "[[partitions.queues.queues]]" })).toHaveAttribute("aria-selected", "true");
  await pick(page);
  await page.keyboard.type('name = "ops');
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("resources.g");
  await expect(page.getByRole("option", { name: /^guaranteed/ })).toBeVisible();
  await pick(page);
  await expect(page.getByRole("option", { name: "vcore" })).toBeVisible();
  await page.keyboard.type("vcore = -2");
  await expect(problems(page).getByRole("button", { name: /root\.ops: resources\.guaranteed\.vcore/ })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await expect(problems(page).getByText("No problems")).toBeVisible();
  await expect(changes(page).getByText("guaranteed: 2 vcore")).toBeVisible();
  await shot(page, "toml");
  await applyButton(page).click();
  await expect(changes(page).getByText("Applied. It is in force.")).toBeVisible();
  await show(page, "Cluster");
  await expect(queue(page, /ops/)).toBeVisible();
  expect(found).toEqual([]);
});

test("a conversion is undone by one key, with its format", async ({ page }) => {
  await configure(page, twoTeams());
  const before = await textOf(page);
  await page.getByRole("tab", { name: "TOML" }).click();
  await expect(editor(page)).toContainText("[[partitions]]");
  await editor(page).focus();
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("tab", { name: "YAML" })).toHaveAttribute("aria-selected", "true");
  expect(await textOf(page)).toBe(before);
  await expect(problems(page).getByText("No problems")).toBeVisible();
});

test("files are opened, dropped and saved", async ({ page }) => {
  const found = await configure(page);
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByLabel("A configuration file").setInputFiles(file("mine.toml", "[[partitions]]\r\n[[partitions.queues]]\r\nname = 'mine'\r\n"));
  await expect(page.getByRole("tab", { name: "TOML" })).toHaveAttribute("aria-selected", "true");
  await expect(preview(page).getByRole("button", { name: "root.mine", exact: true })).toBeVisible();

  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["partitions:\n- queues:\n  - name: dropped\n"], "queues.yaml"));
    return data;
  });
  await editor(page).dispatchEvent("dragover", { dataTransfer: dropped });
  await editor(page).dispatchEvent("drop", { dataTransfer: dropped });
  await expect(preview(page).getByRole("button", { name: "root.dropped", exact: true })).toBeVisible();
  expect(await textOf(page)).toBe("partitions:\n- queues:\n  - name: dropped\n");

  await page.getByRole("button", { name: "File", exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Save as a file" }).click()]);
  expect(download.suggestedFilename()).toBe("queues.yaml");
  expect(readFileSync(await download.path(), "utf8")).toBe(await textOf(page));

  await page.getByLabel("A configuration file").setInputFiles(file("photo.yaml", "\u0000"));
  await expect(problems(page).getByRole("status")).toHaveText(/error/);
  await page.getByLabel("A configuration file").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from([0xff, 0xfe, 0x00]) });
  await expect(page.getByText("photo.png: expected text in UTF-8, found something else. Nothing was opened.")).toBeVisible();
  expect(found).toEqual([]);
});

test("nothing is lost where there is little room", async ({ page }) => {
  for (const [width, height] of [[360, 740], [834, 1112], [2560, 1440]] as const) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await configure(page);
    await page.setViewportSize({ width, height });
    await example(page, "A small tree");
    await expect(preview(page).getByRole("button", { name: "root.research.vision", exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => { const main = document.querySelector("main"); return main ? main.scrollWidth - main.clientWidth : 0; })).toBeLessThanOrEqual(0);
    await shot(page, `${width}`);
  }
});
