// Writes down what the built files were made of; a test of the crate `report` compares
// it with what is there, since building needs Node and testing must not.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";

const folders = await readdir("src", { recursive: true, withFileTypes: true });
const sources = folders
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
const inputs = [...sources, "document.schema.json", "package-lock.json", "vite.config.ts"].sort();
const hash = createHash("sha256");
for (const path of inputs) {
  hash.update(`${path}\0`);
  hash.update(await readFile(path));
}
await writeFile("dist/inputs.sha256", `${hash.digest("hex")}\n`);
