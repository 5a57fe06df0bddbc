import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { addNode, complaints, dropFiles, open, show } from "./page";

const tree = (page: Page) => page.getByRole("tree", { name: "Queues and applications" });
const stream = (page: Page) => page.getByRole("region", { name: "Decisions" });
const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });
const redo = (page: Page) => page.getByRole("button", { name: /^Redo/ });
const question = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

const journal = `{"type":"journal","version":1}
{"at":"0s","type":"node.add","id":"left","capacity":{"vcore":2}}
{"at":"1s","type":"app.add","id":"small","queue":"root.mine"}
{"at":"1s","type":"ask.add","id":"small-1","app":"small","resources":{"vcore":1}}
`;
const config = "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: mine\n";

test("a change by hand is undone and redone, by buttons and by keys", async ({ page }) => {
  await open(page);
  await expect(undo(page)).toBeDisabled();
  await addNode(page, "extra");
  await expect(stream(page)).toContainText("extra joined the cluster");
  await page.getByRole("button", { name: "Undo: add node extra" }).click();
  await expect(page.getByRole("status").getByText("Undone: add node extra.")).toBeVisible();
  await expect(stream(page)).not.toContainText("extra");
  await expect(undo(page)).toBeDisabled();
  await page.getByRole("button", { name: "Redo: add node extra" }).click();
  await expect(stream(page)).toContainText("extra joined the cluster");
  await page.keyboard.press("Control+z");
  await expect(stream(page)).not.toContainText("extra");
  await page.keyboard.press("Control+Shift+Z");
  await expect(stream(page)).toContainText("extra joined the cluster");
  await expect(redo(page)).toBeDisabled();
});

test("a reload brings back changes by hand, the moment, the step, the selection and drafts", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await page.getByRole("button", { name: "Step 3: One ask has to wait" }).click();
  await expect(page.getByRole("heading", { name: "One ask has to wait" })).toBeVisible();
  await addNode(page, "extra");
  await expect(stream(page)).toContainText("extra joined the cluster");
  await show(page, "Scenarios");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# mine\n");
  await expect.poll(() => page.evaluate(() => new Promise<boolean>((resolve) => {
    const request = indexedDB.open("quern", 1);
    request.onsuccess = () => {
      const all = request.result.transaction("places").objectStore("places").getAll();
      all.onsuccess = () => { request.result.close(); resolve((all.result as { edits: number; feature?: unknown }[]).some((place) => place.edits === 1 && place.feature !== undefined)); };
    };
  }))).toBe(true);
  await page.reload();
  await expect(page.locator(".cm-content")).toContainText("# mine");
  await show(page, "Cluster");
  await expect(stream(page)).toContainText("extra joined the cluster");
  await expect(page.getByRole("heading", { name: "One ask has to wait" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Inspector" })).toContainText("index-3");
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^5s of/);
  expect(found).toEqual([]);
});

test("what would be lost is asked about, and the answer counts", async ({ page }) => {
  await open(page);
  await addNode(page, "extra");
  await dropFiles(page, { "mine.jsonl": journal });
  await question(page, "Replace “First steps”?").getByRole("button", { name: "Cancel" }).click();
  await expect(stream(page)).toContainText("extra joined the cluster");

  await dropFiles(page, { "mine.jsonl": journal });
  const [download] = await Promise.all([page.waitForEvent("download"), question(page, "Replace “First steps”?").getByRole("button", { name: "Export the journal first" }).click()]);
  expect(readFileSync(await download.path(), "utf8")).toContain('"id":"extra"');
  await expect(page.getByRole("banner").getByText("mine.jsonl")).toBeVisible();

  await page.goBack();
  await expect(page.getByRole("banner").getByText("First steps")).toBeVisible();
  await expect(stream(page)).toContainText("extra joined the cluster");
  await page.goForward();
  await expect(page.getByRole("banner").getByText("mine.jsonl")).toBeVisible();
  await expect(stream(page)).toContainText("left joined the cluster");
});

test("Forward reaches what was still opening at the click on Back", async ({ page }) => {
  await open(page);
  // Back follows in the same instant in which the opening begins.
  await page.evaluate(() => {
    const push = history.pushState.bind(history);
    history.pushState = (...entry) => { push(...entry); history.pushState = push; history.back(); };
  });
  await dropFiles(page, { "mine.jsonl": journal });
  await expect(page.getByRole("button", { name: "Undo: open “mine.jsonl”" })).toBeEnabled();
  await expect(page.getByRole("banner").getByText("First steps")).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("banner").getByText("mine.jsonl")).toBeVisible();
  await expect(stream(page)).toContainText("left joined the cluster");
  await expect(page).toHaveURL(/#\/cluster$/);
  await page.goBack();
  await expect(page.getByRole("banner").getByText("First steps")).toBeVisible();
  await expect(page).toHaveURL(/#lesson=first-steps$/);
});

test("a lesson is not opened over changes that the user keeps", async ({ page }) => {
  await open(page);
  await addNode(page, "extra");
  await show(page, "Learn");
  await page.locator('.lessons-card[href="#lesson=fifo"]').click();
  await question(page, "Replace “First steps”?").getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/#\/learn$/);
  await show(page, "Cluster");
  await expect(stream(page)).toContainText("extra joined the cluster");
});

test("changes that were not exported are offered at the next visit", async ({ page, context }) => {
  await open(page);
  await addNode(page, "extra");
  await expect.poll(() => page.evaluate(() => new Promise<boolean>((resolve) => {
    const request = indexedDB.open("quern", 1);
    request.onsuccess = () => {
      const all = request.result.transaction("places").objectStore("places").getAll();
      all.onsuccess = () => { request.result.close(); resolve((all.result as { edits: number }[]).some((place) => place.edits === 1)); };
    };
  }))).toBe(true);
  await page.close();
  const next = await context.newPage();
  await open(next);
  await expect(next.getByText(/You changed “First steps” by hand/)).toBeVisible();
  await next.getByRole("button", { name: "Continue" }).click();
  await expect(stream(next)).toContainText("extra joined the cluster");
});

test("a browser that keeps nothing is told of once there is something to lose", async ({ page }) => {
  await page.addInitScript(() => { Object.defineProperty(globalThis, "indexedDB", { value: { open: () => { throw new Error("it is switched off"); } } }); });
  await open(page);
  await addNode(page, "extra");
  await expect(page.getByText(/The browser does not keep “First steps” for your next visit: it is switched off. Export the journal/)).toBeVisible();
});

test("a configuration and a journal that are dropped together open together", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await dropFiles(page, { "queues.yaml": config, "mine.jsonl": journal });
  await expect(page.getByText("mine.jsonl was opened with the configuration of queues.yaml.")).toBeVisible();
  await expect(tree(page).getByRole("treeitem", { name: /^mine/ })).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(stream(page)).toContainText("small-1");
  expect(found).toEqual([]);

  await dropFiles(page, { "bad.yaml": "partitions: [", "mine.jsonl": journal });
  await expect(page.getByRole("alert").getByText("bad.yaml is not a valid configuration. Nothing was opened.")).toBeVisible();
  await dropFiles(page, { "one.jsonl": journal, "two.jsonl": journal });
  await expect(page.getByRole("alert").getByText("The page opens one journal and one configuration at a time, and these are 2 journals. Nothing was opened.")).toBeVisible();
});

test("a journal that comes after its configuration is asked about", async ({ page }) => {
  await open(page);
  await dropFiles(page, { "queues.yaml": config });
  await question(page, "When should queues.yaml take effect?").getByRole("button", { name: /^From this moment on/ }).click();
  await expect(page.getByText("The configuration of queues.yaml is in force.")).toBeVisible();
  await dropFiles(page, { "mine.jsonl": journal });
  await question(page, "Open mine.jsonl with queues.yaml?").getByRole("button", { name: "With queues.yaml" }).click();
  await expect(page.getByRole("banner").getByText("mine.jsonl")).toBeVisible();
  await expect(tree(page).getByRole("treeitem", { name: /^mine/ })).toBeVisible();
});

test("a configuration that comes after its journal is asked about", async ({ page }) => {
  await open(page);
  await dropFiles(page, { "mine.jsonl": journal });
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(stream(page)).toContainText("refused");
  await dropFiles(page, { "queues.yaml": config });
  await question(page, "When should queues.yaml take effect?").getByRole("button", { name: "From the start" }).click();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(tree(page).getByRole("treeitem", { name: /^small, \w+, 1 allocated/ })).toBeVisible();
});
