// Watches a run while it goes on, pauses it, lets it go on and stops it. The arguments are
// the browser, the address of the page, and a folder for pictures, if any.
import assert from "node:assert/strict";
import { launch, open, picture } from "./common.mjs";

const [executablePath, address, pictures] = process.argv.slice(2);
const browser = await launch(executablePath);
const { page, problems } = await open(browser, address);
const bar = page.locator(".live-bar");
const button = (name) => bar.getByRole("button", { name });
const phase = (name) => bar.getByRole("status").getByText(name).waitFor();
const paths = async () => Number((await bar.getByText(/^[\d,]+ paths?$/).textContent()).replace(/\D/g, ""));

await phase("running");
await bar.getByText(/^[1-9][\d,]* paths?$/).waitFor();
await page.getByRole("heading", { name: "Course of the run" }).waitFor();
await page.getByRole("heading", { name: "Workers" }).waitFor();
await page.getByRole("heading", { name: "Slow queries" }).waitFor();
await picture(page, pictures, "live");

await button("Pause").click();
await phase("paused");
await button("Dump").click();
await page.getByRole("heading", { name: "Dumps" }).waitFor();
const dump = await page.locator(".dumps code").textContent();
const paused = await paths();

await button("Resume").click();
await phase("running");
await page.waitForFunction(
  (before) => {
    const text = document.querySelector(".live-bar")?.textContent?.match(/([\d,]+) paths?/)?.[1] ?? "0";
    return Number(text.replace(/\D/g, "")) > before;
  },
  paused,
);
await page.getByRole("link", { name: /^Tests/ }).click();
await page.getByRole("list", { name: "Tests" }).getByRole("listitem").first().waitFor();
await page.getByRole("link", { name: /^Source/ }).click();
await page.locator(".line.covered").first().waitFor();

await button("Stop").click();
await page.getByText("The run is over").waitFor();
// The page has become the report: with the tree, and without the server.
await page.getByRole("link", { name: /^Tree/ }).click();
await page.locator("canvas").waitFor();
assert.deepEqual(problems, []);
await browser.close();
console.log(JSON.stringify({ dump, paused }));
