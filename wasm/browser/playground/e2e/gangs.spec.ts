import { expect, test, type Page } from "@playwright/test";
import { complaints, dropFile, open, still } from "./page";

const config = `partitions:
- placementrules: [{name: provided}, {name: user, create: true, parent: {name: fixed, value: users}}]
  queues: [{name: root, queues: [{name: a}, {name: b}, {name: users, parent: true}]}]
- name: gpu
  queues: [{name: root, queues: [{name: a}]}]
`;
const journal = [
  { type: "config.set", config }, { type: "node.add", id: "n1", capacity: { vcore: 8, memory: "32Gi" } }, { type: "node.add", id: "g1", capacity: { vcore: 4, memory: "8Gi" }, partition: "gpu" },
].map((line) => `${JSON.stringify({ at: "0s", ...line })}\n`).join("");

const tree = (page: Page) => page.getByRole("tree", { name: "Queues and applications" });

async function form(page: Page, item: string | RegExp) {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("dialog");
}

test("a gang goes where the rules say, holds room by placeholders, and moves", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await dropFile(page, "gangs.jsonl", journal);
  await expect(tree(page).getByRole("treeitem", { name: /^\[gpu\]root/ })).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: /^To the end/ }).click();

  const submit = await form(page, /^An application…/);
  await submit.getByLabel("ID", { exact: true }).fill("train");
  await submit.getByLabel("Queue").fill("");
  await submit.getByLabel("User").fill("ann");
  await submit.getByRole("button", { name: "Where would it go?" }).click();
  await expect(submit.getByRole("status")).toContainText("root.users.ann");
  await submit.getByLabel("As a gang").check();
  await submit.getByText("Gangs", { exact: true }).click();
  await submit.getByLabel("Task group").fill("workers");
  await submit.getByLabel("Is a placeholder").check();
  if (process.env.QUERN_SHOTS) await page.screenshot({ path: `${process.env.QUERN_SHOTS}/gang-form.png` });
  await submit.getByRole("button", { name: "Submit", exact: true }).click();
  await expect(submit).toBeHidden();

  await expect(tree(page).getByRole("treeitem", { name: /^ann, .*dynamic/ })).toBeVisible();
  await expect(page.getByRole("list", { name: /^Legend/ })).toContainText("Placeholder of a gang");
  await expect(page.getByRole("button", { name: /Queue root\.users\.ann created.*a placement rule has created it/ })).toBeVisible();
  await tree(page).getByRole("treeitem", { name: /^train, / }).click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector).toContainText("not formed: its tasks wait");
  await expect(inspector).toContainText("Rule 2, user: it goes to root.users.ann");
  await still(page);
  for (const [name, width, scheme] of [["wide-light", 1440, "light"], ["wide-dark", 1440, "dark"], ["narrow-light", 390, "light"]] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    if (process.env.QUERN_SHOTS) await page.screenshot({ path: `${process.env.QUERN_SHOTS}/gang-${name}.png`, fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  }
  expect(found).toEqual([]);
});
