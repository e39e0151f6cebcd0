// Also a command: node test/support/discord-picture.ts http://127.0.0.1:8081 general out.png as=ada
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether Chromium is installed. */
export const hasChromium = existsSync(CHROMIUM);

interface PictureOptions {
  /** The URL of the sandbox. */
  readonly url: string;
  /** The name of a channel or thread. */
  readonly channel: string;
  /** The path of the PNG. */
  readonly file: string;
  /** The handle of the member who sees the page. */
  readonly as?: string | undefined;
  /** How many messages, from the newest, are shown. */
  readonly limit?: number | undefined;
  readonly width?: number | undefined;
}

/** Saves a screenshot of a channel of the simulated Discord. */
export async function pictureOf({ url, channel, file, width = 1000, ...query }: PictureOptions): Promise<void> {
  const address = new URL(`/discord/view/${encodeURIComponent(channel)}`, url);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value));
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width, height: 400 }, javaScriptEnabled: false });
  const response = await page.goto(address.href, { waitUntil: 'networkidle' });
  if (!response?.ok()) throw new Error(`${address.href}: ${await response?.text()}`);
  await page.screenshot({ path: file, fullPage: true });
}

const [, script = '', url, channel, file, ...rest] = process.argv;
if (import.meta.url === pathToFileURL(script).href) {
  if (url === undefined || channel === undefined || file === undefined) {
    throw new Error('usage: node test/support/discord-picture.ts <url of the sandbox> <channel> <file.png> [as=…] [limit=…] [width=…]');
  }
  const options = new Map(rest.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
  const number = (name: string): number | undefined => (options.has(name) ? Number(options.get(name)) : undefined);
  await pictureOf({
    url,
    channel,
    file,
    as: options.get('as'),
    limit: number('limit'),
    width: number('width'),
  });
}
