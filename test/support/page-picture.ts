import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/** The screenshot waits for this many posts. */
const ENOUGH = '#posts .post:nth-child(6)';
/** Runs in the page. */
const SHOWN_PICTURES_ARE_LOADED = `
  [...document.images]
    .filter((image) => image.getBoundingClientRect().top < innerHeight)
    .every((image) => image.complete && image.naturalWidth > 0)`;

/**
 * Takes the screenshots of the page in `folder` when it has enough content: page.png, page-dark.png, sandbox-discord.png, overview.png,
 * rule.png and why.png.
 */
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
  await drawDiscord(page, url, folder);
  await drawViews(page, url, folder);
}

/** Uses the bot in the simulated Discord, and types the next command. */
async function drawDiscord(page: Page, url: string, folder: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${url}/sandbox/discord?as=grace`);
  await page.locator('#connection[data-state="live"]').waitFor();
  const field = page.locator('#composer');
  await field.fill('/post now text: Rook endgames tonight at eight');
  await page.keyboard.press('Enter');
  await page.locator('.messages .button').first().waitFor();
  await field.fill('/live streamer: gr');
  await page.locator('#suggestions [role=option]').nth(2).waitFor();
  await page.screenshot({ path: `${folder}/sandbox-discord.png` });
}

/** Lets one message fail, and shows it on the overview, in its rule, and in its history. */
async function drawViews(page: Page, url: string, folder: string): Promise<void> {
  const data = { platform: 'discord', kind: 'status', method: 'POST', route: '/messages', status: 400, times: 1 };
  await page.request.post(`${url}/api/sandbox/faults`, { data });
  await page.goto(`${url}/overview`);
  const failed = page.locator('[aria-labelledby=needs] li').filter({ hasText: 'Send again' }).first();
  await failed.waitFor({ timeout: 10 * 60_000 });
  const name = await failed.locator('a[href^="/why"]').first().innerText();
  await page.screenshot({ path: `${folder}/overview.png` });
  await page.setViewportSize({ width: 1440, height: 1200 });
  await page.goto(`${url}/rules/live-card`);
  await page.getByRole('button', { name: 'Preview' }).waitFor();
  await page.screenshot({ path: `${folder}/rule.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${url}/why?q=${encodeURIComponent(name)}`);
  await page.locator('#connection[data-state="live"]').waitFor();
  await page.screenshot({ path: `${folder}/why.png` });
}

const [url = 'http://127.0.0.1:8080', folder = 'docs'] = process.argv.slice(2);
await drawPage(url, folder);
