/** Has the user choose a file; undefined: they think better of it. Kinds are endings, as ".feature,.txt". */
export function pickFile(kinds: string): Promise<File | undefined> {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: kinds });
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files?.[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}
