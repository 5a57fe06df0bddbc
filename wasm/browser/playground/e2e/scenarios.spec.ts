import { expect, test, type Page } from "@playwright/test";
import { complaints, open, show, takesKeys } from "./page";

const editor = (page: Page) => page.getByRole("textbox", { name: "Feature" });
const outcome = (page: Page) => page.getByRole("region", { name: "Outcome" });
const runAll = (page: Page) => page.getByRole("button", { name: "Run all" });

/** Opens the view, with the runner loaded. */
async function scenarios(page: Page) {
  const found = complaints(page);
  await open(page);
  await show(page, "Scenarios");
  await expect(runAll(page)).toBeEnabled({ timeout: 30_000 });
  return found;
}

/** Replaces the whole text. */
async function write(page: Page, text: string) {
  await editor(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

const feature = (step: string) => `Feature: mine
  Scenario: first
    Given a node "n1" with 4 vcore
    When "a" asks in root.default for 1 vcore
    ${step}

  Scenario: second
    When 1s passes
    Then nothing is decided
`;

test("a step that fails is marked with its reason; put right, all is green", async ({ page }) => {
  const found = await scenarios(page);
  await write(page, feature('Then "a" is allocated on "n2"'));
  await runAll(page).click();
  await expect(outcome(page).getByText("2 scenarios: 1 failed, 1 passed")).toBeVisible();
  await expect(editor(page).getByText('Ask "a": expected node n2, found n1')).toBeVisible();
  await expect(editor(page).locator(".cm-step-failed")).toHaveText('Then "a" is allocated on "n2"');
  await expect(page.locator(".cm-sign-failed")).toHaveCount(2); // the scenario and the step

  await outcome(page).getByRole("button", { name: /first/ }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await page.keyboard.insertText("1");
  await expect(outcome(page).getByText("The text has changed since.")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(outcome(page).getByText("2 scenarios: 2 passed")).toBeVisible();
  await expect(page.locator(".cm-sign-failed, .cm-why")).toHaveCount(0);
  expect(found).toEqual([]);
});

test("a sentence that nobody knows is told while it is written, with the nearest one", async ({ page }) => {
  await scenarios(page);
  await write(page, feature('Then "a" is allocatd'));
  const wrong = editor(page).locator(".cm-lintRange-error");
  await expect(wrong).toHaveText('"a" is allocatd');
  await wrong.hover();
  await expect(page.getByText("No step matches. The nearest one: {names} {is|are} allocated[ on {name}]")).toBeVisible();
  await page.getByRole("button", { name: "Write it so" }).click();
  await expect(editor(page).getByText('Then "name" is allocated')).toBeVisible();
  await expect(editor(page).locator(".cm-lintRange-error")).toHaveCount(0);

  await write(page, feature('Then "a" is allocatd'));
  await runAll(page).click();
  await expect(outcome(page).getByText("2 scenarios: 1 undefined, 1 passed")).toBeVisible();
  await expect(editor(page).getByText("The nearest sentence: {names} {is|are} allocated[ on {name}]")).toBeVisible();
});

test("sentences are completed by keys, with their tables", async ({ page }) => {
  await scenarios(page);
  await write(page, "Feature: mine\n  Scenario: first\n    Given the nod");
  await page.keyboard.press("Control+Space");
  await expect(page.getByRole("option", { name: "the nodes:" })).toBeVisible();
  await takesKeys(page);
  await page.keyboard.press("Enter");
  await expect(editor(page)).toContainText("Given the nodes:      | node | capacity | occupied |");
});

test("the scenario at the cursor runs alone", async ({ page }) => {
  await scenarios(page);
  await write(page, feature('Then "a" is allocated on "n2"'));
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+Enter");
  await expect(outcome(page).getByText("1 scenario: 1 passed")).toBeVisible();
});

test("what is no feature is named with its line", async ({ page }) => {
  await scenarios(page);
  await write(page, "Feature: mine\n  Scenario: first\n    Given x\n    nonsense\n");
  await runAll(page).click();
  await expect(outcome(page).getByText("This is not a valid feature yet.")).toBeVisible();
  await expect(outcome(page).getByRole("button", { name: /Line 4.*found nonsense/ })).toBeVisible();
});

test("a run that takes too long is stopped, and the next one works", async ({ page }) => {
  await scenarios(page);
  await write(page, `Feature: mine
  Scenario: long
    Given a node "n1" with 1000 vcore
    When the asks:
      | ask | queue        | resources | count    |
      | a   | root.default | 1m vcore  | 50000000 |
    Then nothing is decided
`);
  await runAll(page).click();
  await expect(outcome(page).getByText("Running all scenarios…")).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(outcome(page).getByText("You have stopped it.")).toBeVisible();
  await write(page, feature('Then "a" is allocated on "n1"'));
  await expect(runAll(page)).toBeEnabled({ timeout: 30_000 });
  await runAll(page).click();
  await expect(outcome(page).getByText("2 scenarios: 2 passed")).toBeVisible();
});

test("scenarios that need a host are skipped, with the reason", async ({ page }) => {
  await scenarios(page);
  await write(page, 'Feature: mine\n  Scenario: first\n    Given module "by-size" is dropped in\n');
  await runAll(page).click();
  await expect(outcome(page).getByText("1 scenario: 1 skipped")).toBeVisible();
  await expect(editor(page).getByText("There is no folder of policy modules here")).toBeVisible();
});

test("a feature that ships is a starting point, and passes", async ({ page }) => {
  await scenarios(page);
  await page.getByRole("combobox", { name: "Start from a feature that ships" }).selectOption("priority.feature");
  await expect(page.getByRole("heading", { name: "priority.feature" })).toBeVisible();
  await runAll(page).click();
  await expect(outcome(page).getByText(/^\d+ scenarios: \d+ passed$/)).toBeVisible({ timeout: 30_000 });
});

test("what the cluster has seen becomes a scenario that passes, and can be saved and copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await scenarios(page);
  await show(page, "Cluster");
  await page.getByRole("button", { name: /^To the end/ }).click();
  await show(page, "Scenarios");
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Scenario from here" }).click();
  await expect(editor(page).getByText("Scenario: what was decided")).toBeVisible();
  await expect(runAll(page)).toBeEnabled({ timeout: 30_000 });
  await runAll(page).click();
  await expect(outcome(page).getByText("1 scenario: 1 passed")).toBeVisible();

  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Copy" }).click();
  await expect(page.getByText("The feature is on the clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Feature: .*\n\n {2}Scenario: what was decided\n {4}Given the configuration:\n/);

  await page.getByRole("button", { name: "File" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Save as a file" }).click()]);
  expect(download.suggestedFilename()).toMatch(/\.feature$/);
});
