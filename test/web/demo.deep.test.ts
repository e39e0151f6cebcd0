import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import type { FontMetrics } from '../support/block-font.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import type { FakeApiQueries } from '../support/fake-api-queries.ts';
import { freePort } from '../support/fanfare-process.ts';
import { noOperations } from '../support/operations.ts';
import { message, minutesAgo, NOW, post, stream } from '../support/view-records.ts';
import { demoViews } from '../support/web-demo.ts';
import { FONTS, setFont } from './page-fonts.ts';

interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly script?: boolean;
  readonly font?: FontMetrics | undefined;
}

interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly apiQueries: FakeApiQueries;
  /** The messages of the browser console. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
  /** Serves the page again, at the same address. */
  start(): Promise<void>;
}

describe.runIf(hasChromium)('the demonstration in a browser', () => {
  const browser = useChromium();

  async function open({ width = 1440, height = 900, script = true, font }: OpenOptions = {}): Promise<Opened> {
    const apiQueries = demoViews();
    const clock = { ...systemClock, nowMs: () => NOW.getTime() };
    const serve = (port: number): Promise<Web> =>
      startWeb({
        host: '127.0.0.1',
        port,
        apiQueries,
        operations: noOperations,
        sandboxOrigin: 'http://127.0.0.1:1',
        clock,
        log: silentLog,
      });
    // No other program gets this port while the server is stopped.
    let web = await serve(await freePort());
    // The policy of the page forbids the fonts that a test brings.
    const context = await browser().newContext({ viewport: { width, height }, javaScriptEnabled: script, bypassCSP: font !== undefined });
    const page = await context.newPage();
    const violations: string[] = [];
    page.on('console', (line) => violations.push(line.text()));
    page.on('pageerror', (error) => violations.push(error.message));
    await page.goto(`${web.url}/demo`);
    if (script) await page.locator('#connection[data-state="live"]').waitFor();
    if (font) await setFont(page, font);
    return {
      page,
      apiQueries,
      violations,
      stop: () => web[Symbol.asyncDispose](),
      start: async () => {
        web = await serve(Number(new URL(web.url).port));
      },
      [Symbol.asyncDispose]: async () => {
        await context.close();
        await web[Symbol.asyncDispose]();
      },
    };
  }

  test('an edited message updates the existing entry, and the page is not loaded again', async () => {
    await using opened = await open();
    const { page, apiQueries, violations } = opened;
    const card = page.locator('[data-key="2/card1"]');
    const before = await card.elementHandle();

    apiQueries.channelMessages = apiQueries.channelMessages.map((one) => (one.id === '2/card1' ? { ...one, editedAt: NOW } : one));
    apiQueries.emit({ kind: 'messages' });

    await card.getByText('(edited)').waitFor();
    expect(await card.evaluate((row, other) => row === other, before)).toBe(true);
    expect(violations).toEqual([]);
  });

  test('a text behind a content warning stays open when the timeline changes', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    const spoiler = post('spoiler', { text: 'the end\n\nit was the butler', warning: 'the end' });
    apiQueries.timeline = [spoiler];
    apiQueries.emit({ kind: 'posts' });
    const entry = page.locator('[data-key="sandbox:spoiler"]');
    await entry.getByText('the end').click();

    apiQueries.timeline = [post('newer'), { ...spoiler, editedAt: NOW }];
    apiQueries.emit({ kind: 'posts' });

    await page.locator('[data-key="sandbox:newer"]').waitFor();
    expect(await entry.getByText('it was the butler').isVisible()).toBe(true);
  });

  test('streams keep their cards when their order changes', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    const cards = page.locator('#live .stream');
    const top = await cards.first().elementHandle();

    apiQueries.streams = [
      ...apiQueries.streams.slice(1, 4),
      ...apiQueries.streams.slice(0, 1),
      ...apiQueries.streams.slice(5),
      stream('new'),
    ];
    apiQueries.emit({ kind: 'live' });

    await page.locator('[data-key="twitch:new"]').waitFor();
    expect(await cards.count()).toBe(apiQueries.streams.length);
    expect(await cards.evaluateAll((all) => all.map((card) => card.getAttribute('data-key')))).toEqual(
      apiQueries.streams.map(({ id }) => `twitch:${id}`),
    );
    expect(await cards.nth(3).evaluate((card, other) => card === other, top)).toBe(true);
  });

  test.for(FONTS)('in %s: the scroll position stays at the same entry, or at the end of a channel', async ([, font]) => {
    await using opened = await open({ font });
    const { page, apiQueries } = opened;
    const timeline = page.locator('#posts .panel-body');
    await timeline.evaluate((box) => box.scrollTo(0, 300));
    const read = page.locator('[data-key="sandbox:p4"]');
    const before = await read.boundingBox();

    apiQueries.timeline = [
      post('new-1', { text: 'a `post` of some lines, each of them as high as the others. '.repeat(3) }),
      ...apiQueries.timeline,
    ];
    apiQueries.channelMessages = [message('new-2', { createdAt: minutesAgo(-1), content: 'the very last' }), ...apiQueries.channelMessages];
    apiQueries.emit({ kind: 'posts' });
    apiQueries.emit({ kind: 'messages' });
    await page.locator('[data-key="sandbox:new-1"]').waitFor({ state: 'attached' });

    expect((await read.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 1);
    const last = page.locator('[data-key="1/new-2"]');
    await last.waitFor();
    expect(
      await last.evaluate(
        (entry) => entry.getBoundingClientRect().bottom <= (entry.closest('.channel-scroll')?.getBoundingClientRect().bottom ?? 0),
      ),
    ).toBe(true);
  });

  test('a screen reader announces a new post, and its age counts by the clock of the server', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;

    apiQueries.timeline = [post('new-1', { text: 'Grace is live', createdAt: minutesAgo(5.5) }), ...apiQueries.timeline];
    apiQueries.emit({ kind: 'posts' });

    await page.locator('#news', { hasText: 'New post by Fanfare: Grace is live' }).waitFor({ state: 'attached' });
    expect(await page.locator('[data-key="sandbox:new-1"] time').textContent()).toBe('5m ago');
  });

  test.for([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('with reduced motion: %s, a new entry moves: %s', async ([reducedMotion, moves]) => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    await page.emulateMedia({ reducedMotion });
    // On a busy machine, a movement would be over before the test looks.
    await (await page.context().newCDPSession(page)).send('Animation.setPlaybackRate', { playbackRate: 0 });

    apiQueries.timeline = [post('new-1'), ...apiQueries.timeline];
    apiQueries.emit({ kind: 'posts' });

    const entry = page.locator('[data-key="sandbox:new-1"]');
    expect(await entry.evaluate((element) => element.getAnimations().length > 0)).toBe(moves);
  });

  test('the age of a new post is not negative if the script of the page loads slowly', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    await page.route('**/*.js', async (route) => {
      await sleep(3000);
      await route.continue();
    });
    await page.reload();
    await page.locator('#connection[data-state="live"]').waitFor();

    apiQueries.timeline = [post('new-1', { createdAt: new Date(NOW.getTime() + 3000) }), ...apiQueries.timeline];
    apiQueries.emit({ kind: 'posts' });

    await page.locator('[data-key="sandbox:new-1"]').waitFor();
    expect(await page.locator('[data-key="sandbox:new-1"] time').textContent()).toBe('now');
  });

  test('the page shows missed changes after the server comes back', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;

    await opened.stop();
    await page.locator('#connection[data-state="lost"]').waitFor();
    apiQueries.timeline = [post('missed'), ...apiQueries.timeline];
    await opened.start();

    await page.locator('#connection[data-state="live"]').waitFor();
    await page.locator('[data-key="sandbox:missed"]').waitFor();
    expect(apiQueries.listening).toBe(1);
  });

  test.for([
    { width: 360, height: 740 },
    { width: 768, height: 1024 },
    { width: 1440, height: 900 },
  ])('the page has no horizontal overflow at $width pixels', async ({ width, height }) => {
    await using opened = await open({ width, height });
    const { page, violations } = opened;

    const inner = await page.locator('html').evaluate((root) => root.scrollWidth);

    expect(inner).toBeLessThanOrEqual(width);
    expect(violations).toEqual([]);
  });

  test('on a wide screen all parts fit the window, and each part scrolls separately', async () => {
    await using opened = await open({ width: 1440, height: 900 });

    expect(await opened.page.locator('html').evaluate((root) => root.scrollHeight)).toBe(900);
    expect(await opened.page.locator('#posts .panel-body').evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
  });

  test('on a high screen the streams take only the height of their cards', async () => {
    const heightAt = async (height: number): Promise<number> => {
      await using opened = await open({ width: 1200, height });
      return await opened.page.locator('#live').evaluate((part) => part.getBoundingClientRect().height);
    };

    expect(await heightAt(1800)).toBe(await heightAt(900));
  });

  test('the messages of one author begin in one column', async () => {
    await using opened = await open();

    const columns = await opened.page
      .locator('.messages')
      .evaluateAll((all) =>
        all.map((messages) => [...messages.querySelectorAll('article')].map((article) => article.getBoundingClientRect().left)),
      );

    expect(columns.map((all) => new Set(all).size)).toEqual(columns.map(() => 1));
    expect(await opened.page.locator('.message.follows').count()).toBeGreaterThan(0);
  });

  test('a long title, name or game does not make a card in the strip higher', async () => {
    await using opened = await open({ width: 1200, height: 900 });

    const heights = await opened.page
      .locator('#live .stream')
      .evaluateAll((all) =>
        all.map(
          (card) =>
            (card.querySelector('.stream-text')?.lastElementChild?.getBoundingClientRect().bottom ?? 0) - card.getBoundingClientRect().top,
        ),
      );

    expect(heights).toHaveLength(10);
    expect(new Set(heights).size).toBe(1);
  });

  test.for(FONTS)('in %s: every entry is whole pixels high', async ([, font]) => {
    await using opened = await open({ font });

    const heights = await opened.page
      .locator('.post, .stream')
      .evaluateAll((all) => all.map((entry) => [entry.getAttribute('data-key'), entry.getBoundingClientRect().height]));

    expect(heights.filter(([, height]) => !Number.isInteger(height))).toEqual([]);
    expect(heights.length).toBeGreaterThan(15);
  });

  test('a phone shows the streams first', async () => {
    await using opened = await open({ width: 390, height: 844 });
    const topOf = (id: string): Promise<number> => opened.page.locator(`#${id}`).evaluate((part) => part.getBoundingClientRect().top);

    expect(await topOf('live')).toBeLessThan(400);
    expect(await topOf('posts')).toBeGreaterThan(await topOf('live'));
  });

  test('the first Tab shows a link that leads the focus to the streams', async () => {
    await using opened = await open();
    const { page } = opened;

    await page.keyboard.press('Tab');
    expect((await page.locator('.skip a:focus').boundingBox())?.height).toBeGreaterThan(20);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');

    expect(await page.locator('#live :focus').count()).toBe(1);
  });

  test.for(['light', 'dark'] as const)('links in texts of messages and posts are underlined on a %s background', async (colorScheme) => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    await page.emulateMedia({ colorScheme });
    apiQueries.timeline = [post('new-1', { text: 'see https://example.test/a' }), ...apiQueries.timeline];
    apiQueries.channelMessages = [message('new-2', { content: 'see https://example.test/b' }), ...apiQueries.channelMessages];
    apiQueries.emit({ kind: 'posts' });
    apiQueries.emit({ kind: 'messages' });

    for (const selector of ['[data-key="sandbox:new-1"] .text a', '[data-key="1/new-2"] .text a']) {
      const link = page.locator(selector);
      await link.waitFor({ state: 'attached' });
      expect(
        await link.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).textDecorationLine),
        selector,
      ).toBe('underline');
    }
  });

  test('the page is complete without a script, and no text in a title runs as code', async () => {
    await using opened = await open({ script: false });
    const { page } = opened;

    expect(await page.locator('#live .stream').count()).toBe(10);
    expect(await page.getByText('<script>alert("not today")</script>').first().isVisible()).toBe(true);
  });
});
