import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/** The screenshot waits for this many posts. */
const ENOUGH = '#posts .post:nth-child(6)';
/** Runs in the page. */
const SHOWN_PICTURES_ARE_LOADED = `
  [...document.images]
    .filter((image) => image.getBoundingClientRect().top < innerHeight)
    .every((image) => image.complete && image.naturalWidth > 0)`;

/** Takes the screenshots docs/page.png and docs/page-dark.png when the page has enough content. */
async function drawPage(url: string, folder: string): Promise<void> {
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    bypassCSP: true,
  });
  await page.goto(`${url}/demo`);
  await page.locator(ENOUGH).waitFor({ timeout: 10 * 60_000 });
  await page
    .locator('#messages .channel:nth-child(2) .message')
    .first()
    .waitFor({ timeout: 10 * 60_000 });
  await page.waitForFunction(SHOWN_PICTURES_ARE_LOADED);
  await page.screenshot({ path: `${folder}/page.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${folder}/page-dark.png` });
}

const [url = 'http://127.0.0.1:8080', folder = 'docs'] = process.argv.slice(2);
await drawPage(url, folder);
