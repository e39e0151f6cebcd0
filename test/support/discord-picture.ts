// Also a command: node test/support/discord-picture.ts http://127.0.0.1:8081 general out.png as=ada unfold=1
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether there is a browser to look with. */
export const hasChromium = existsSync(CHROMIUM);

export interface PictureOptions {
  /** The sandbox's. */
  readonly url: string;
  /** Its name, or that of a thread. */
  readonly channel: string;
  /** Where the PNG goes. */
  readonly file: string;
  /** Who looks: sees what only they may see. */
  readonly as?: string | undefined;
  /** The interaction whose modal or choices are open. */
  readonly open?: string | undefined;
  /** Whether selects show what they offer. */
  readonly unfold?: boolean | undefined;
  readonly zone?: string | undefined;
  readonly locale?: string | undefined;
  /** How many messages, from the newest, are shown. */
  readonly limit?: number | undefined;
  readonly width?: number | undefined;
}

/** Saves what a channel looks like on the sandbox's Discord. */
export async function pictureOf({ url, channel, file, width = 1000, unfold = false, ...query }: PictureOptions): Promise<void> {
  const address = new URL(`/discord/view/${encodeURIComponent(channel)}`, url);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value));
  if (unfold) address.searchParams.set('unfold', '1');
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width, height: 400 }, javaScriptEnabled: false });
  const response = await page.goto(address.href, { waitUntil: 'networkidle' });
  if (!response?.ok()) throw new Error(`${address.href}: ${await response?.text()}`);
  await page.screenshot({ path: file, fullPage: true });
}

const [, script = '', url, channel, file, ...rest] = process.argv;
if (import.meta.url === pathToFileURL(script).href) {
  if (url === undefined || channel === undefined || file === undefined) {
    throw new Error(
      'usage: node test/support/discord-picture.ts <url of the sandbox> <channel> <file.png> [as=…] [open=…] [unfold=1] [width=…]',
    );
  }
  const options = new Map(rest.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
  const number = (name: string): number | undefined => (options.has(name) ? Number(options.get(name)) : undefined);
  await pictureOf({
    url,
    channel,
    file,
    as: options.get('as'),
    open: options.get('open'),
    unfold: options.has('unfold'),
    zone: options.get('zone'),
    locale: options.get('locale'),
    limit: number('limit'),
    width: number('width'),
  });
}
