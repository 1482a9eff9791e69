// Takes a picture of a page. The arguments are the browser, the page, the view in it, the
// file, and the name of a button to press first, if any.
import { launch, open } from "./common.mjs";

const [executablePath, file, view, picture, button] = process.argv.slice(2);
const browser = await launch(executablePath);
const { page, problems } = await open(browser, file, { colorScheme: "light", viewport: { width: 1200, height: 720 } });
await page.evaluate((view) => (location.hash = view), view);
if (button) await page.getByRole("button", { name: button }).click();
// Whatever is drawn on a canvas is there after the next frame.
await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
await page.screenshot({ path: picture });
await browser.close();
if (problems.length) throw new Error(problems.join("\n"));
