import { expect, test, type Page } from "@playwright/test";
import { complaints, dropFile, open, show, still } from "./page";

const config = `partitions:
- name: default
  queues:
  - name: root
    queues:
    - name: lab  # students
    - name: users
      parent: true
- name: gpu
  queues: [{name: root, queues: [{name: lab}]}]
`;
const journal = [{ type: "config.set", config }, { type: "node.add", id: "n1", capacity: { vcore: 8, memory: "32Gi" } }].map((line) => `${JSON.stringify({ at: "0s", ...line })}\n`).join("");

const preview = (page: Page) => page.getByRole("region", { name: "Queues", exact: true });
const editor = (page: Page) => page.getByRole("textbox", { name: "Configuration" });
const put = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Put into the text" });

async function form(page: Page, queue: string, item: string) {
  await preview(page).getByRole("button", { name: `Change ${queue} by a form` }).click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("dialog");
}

async function configure(page: Page) {
  const found = complaints(page);
  await open(page);
  await dropFile(page, "forms.jsonl", journal);
  await expect(page.getByRole("treeitem", { name: /^\[gpu\]root/ })).toBeVisible({ timeout: 30_000 });
  await show(page, "Configure");
  await expect(preview(page).getByRole("button", { name: "root.lab", exact: true })).toBeVisible();
  return found;
}

/** The open form in both themes and on a narrow screen, on which nothing may be wider than it. */
async function look(page: Page, name: string) {
  await still(page);
  for (const [kind, width, scheme] of [["wide-light", 1440, "light"], ["wide-dark", 1440, "dark"], ["narrow-light", 390, "light"], ["narrow-dark", 390, "dark"]] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    if (process.env.QUERN_SHOTS) await page.screenshot({ path: `${process.env.QUERN_SHOTS}/form-${name}-${kind}.png` });
    expect(await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("limits are written by a form, with the scheduler's own errors at their fields", async ({ page }) => {
  const found = await configure(page);
  const dialog = await form(page, "root.lab", "Limits of users and groups…");
  await dialog.getByRole("button", { name: "Add a limit" }).click();
  await expect(dialog.getByText(/Expected .*users or groups/)).toBeVisible();
  await dialog.getByLabel("Users").fill("ann, 1x");
  await dialog.getByLabel("vcore").fill("4x");
  await dialog.getByLabel("Applications at most").fill("2");
  await expect(dialog.getByText(/found "1x"/)).toBeVisible();
  await expect(dialog.getByLabel("vcore")).toHaveAttribute("aria-invalid", "true");
  await expect(put(page)).toBeDisabled();
  await look(page, "limits");
  await dialog.getByLabel("Users").fill("ann, bob");
  await dialog.getByLabel("vcore").fill("4");
  await dialog.getByRole("button", { name: "Add another limit" }).click();
  await dialog.getByRole("group", { name: "Limit 2" }).getByLabel("Users").fill("*");
  await dialog.getByRole("group", { name: "Limit 2" }).getByLabel("Applications at most").fill("1");
  await dialog.getByRole("button", { name: "Move limit 2 up" }).click();
  await expect(dialog.getByText(/"\*" in the last limit with users/)).toBeVisible();
  await dialog.getByRole("button", { name: "Move limit 1 down" }).click();
  await put(page).click();
  await expect(dialog).toBeHidden();
  await expect(editor(page)).toContainText("- name: lab  # students");
  await expect(preview(page)).toContainText("users ann, bob: max 4 vcore, 2 applications");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Applied. It is in force.")).toBeVisible();
  // As it was read, it is in the form again.
  const again = await form(page, "root.lab", "Limits of users and groups…");
  await expect(again.getByLabel("Users").first()).toHaveValue("ann, bob");
  await again.getByRole("button", { name: "Remove limit 1" }).click();
  await put(page).click();
  await expect(preview(page)).not.toContainText("ann");
  await expect(preview(page)).toContainText("users *: 1 application");
  expect(found).toEqual([]);
});

test("rules, templates and access are written by forms, in each partition and format", async ({ page }) => {
  const found = await configure(page);
  await preview(page).getByRole("button", { name: "Placement rules…" }).click();
  const rules = page.getByRole("dialog");
  await rules.getByRole("button", { name: "Add a rule" }).click();
  await rules.getByLabel("The queue is named by").selectOption("user");
  await rules.getByLabel("Create the queue if it does not exist").check();
  await rules.getByLabel("It is for").selectOption("deny");
  await rules.getByLabel("Groups").fill("interns");
  await rules.getByLabel("Below the queue of another rule").check();
  const above = rules.getByRole("group", { name: "The rule above" });
  await expect(above.getByText(/Expected .*found none/)).toBeVisible();
  await above.getByLabel("Queue", { exact: true }).fill("users");
  await look(page, "rules");
  await put(page).click();
  await expect(preview(page)).toContainText("user, makes queues; not for groups interns; below: fixed users");

  const template = await form(page, "root.users", "Child template…");
  await template.getByLabel("The queue has a child template").check();
  await template.getByRole("group", { name: "Max" }).getByLabel("vcore").fill("2");
  await template.getByRole("button", { name: "A property" }).click();
  await template.getByLabel("Property", { exact: true }).fill("application.sort.policy");
  await expect(template.getByText("The order of applications in a leaf.")).toBeVisible();
  await template.getByLabel("Value of application.sort.policy").fill("fiffo");
  await expect(template.getByText(/found "fiffo"/)).toBeVisible();
  await template.getByLabel("Value of application.sort.policy").fill("fair");
  await look(page, "template");
  await put(page).click();
  await expect(preview(page)).toContainText("max 2 vcore; application.sort.policy fair");

  await page.getByRole("tab", { name: "TOML" }).click();
  await expect(editor(page)).toContainText("[[partitions]]");
  await preview(page).getByLabel("Partition").selectOption("gpu");
  const access = await form(page, "root.lab", "Access…");
  await access.getByLabel("May submit").last().selectOption("named");
  await access.getByLabel("Groups").fill("dev, ops");
  await look(page, "access");
  await put(page).click();
  await expect(preview(page)).toContainText("may submit groups dev, ops");
  await expect(page.getByRole("region", { name: "Changes" })).toContainText("[gpu]root.lab");
  expect(found).toEqual([]);
});
