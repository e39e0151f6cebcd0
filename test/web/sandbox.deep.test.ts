import { describe, expect, test } from 'vitest';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { delivery } from '../support/view-records.ts';
import { openSandboxSite, type SandboxSite } from './open-sandbox-site.ts';
import { ATTACK, flawsOf, openPage, PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const HOUR_MS = 3_600_000;

describe.runIf(hasChromium)('the view of the sandbox in a browser', () => {
  const browser = useChromium();

  async function open(options: OpenPageOptions & { readonly path?: string } = {}): Promise<SandboxSite & OpenedPage> {
    const site = await openSandboxSite();
    const nowMs = site.sandbox.clock.nowMs();
    site.sandbox.world.order({ do: 'end', user: 'ada' }, nowMs);
    site.sandbox.world.order({ do: 'goLive', user: 'grace', title: ATTACK, viewers: 1200 }, nowMs);
    site.sandbox.faults.add({ platform: 'twitch', kind: 'delay', ms: 10, route: ATTACK });
    const apiQueries = new FakeApiQueries();
    apiQueries.deliveryList = [delivery('d1', { item: { key: 'twitch/1', name: 'Ada' }, text: ATTACK })];
    return { ...site, ...(await openPage(browser(), options.path ?? '/sandbox', { ...site, apiQueries }, options)) };
  }

  test.for(['en-GB', 'de-DE'])('fits, has no serious findings of axe and no errors: %s', async (locale) => {
    await using opened = await open({ locale });

    expect(await flawsOf(opened.page)).toEqual([]);
    expect([opened.errors, await opened.page.title()]).toEqual([[], 'Sandbox · Fanfare']);
  });

  test.for(PRESSES)('a streamer goes live, changes the game, is raided and ends $how', async ({ press }) => {
    await using opened = await open();
    const { page, sandbox } = opened;
    const streamOf = () => sandbox.world.liveAt(sandbox.clock.nowMs()).find(({ person }) => person.handle === 'ada');
    const outcome = (text: string) => page.locator('#outcome', { hasText: text }).waitFor();
    await page.getByLabel('Game of Ada').selectOption('Chess');

    await press(page.getByRole('button', { name: 'Go live Ada' }));
    await outcome('Ada is live.');
    expect(streamOf()).toMatchObject({ game: { name: 'Chess' } });

    // The view loads what changed.
    const change = page.getByRole('button', { name: 'Change game Ada' });
    await change.waitFor();
    await page.getByLabel('Game of Ada').selectOption('Minecraft');
    await press(change);
    await outcome('Ada has another game.');
    expect(streamOf()).toMatchObject({ game: { name: 'Minecraft' } });

    const before = streamOf()?.viewerCount ?? 0;
    await press(page.getByRole('button', { name: 'Raid Ada' }));
    await outcome('Ada has more viewers.');
    expect(streamOf()?.viewerCount).toBeGreaterThanOrEqual(before + 25_000);

    await press(page.getByRole('button', { name: 'End Ada' }));
    await outcome('The stream of Ada has ended.');
    expect(streamOf()).toBeUndefined();
    await page.getByRole('button', { name: 'Go live Ada' }).waitFor();
    // The pressed button is gone, and the person goes on in its row.
    await page.locator('li:focus', { hasText: 'Ada' }).waitFor();
    expect(opened.errors).toEqual([]);
  });

  test.for(PRESSES)('a platform is broken, and its faults end $how', async ({ press }) => {
    await using opened = await open();
    const { page, sandbox } = opened;
    await page.getByLabel('Fault').selectOption('resetAfter');
    await page.getByRole('spinbutton', { name: 'Requests' }).fill('2');
    await page.getByLabel('Path has the text').fill('/messages');

    await press(page.getByRole('button', { name: 'Break it' }));
    await page.getByText('do it, but lose the answer on paths with /messages for 2 more requests').waitFor();
    expect(sandbox.faults.all().at(-1)).toEqual({ platform: 'discord', kind: 'resetAfter', route: '/messages', times: 2 });

    await press(page.getByRole('button', { name: 'End the faults of discord' }));
    await page.locator('#outcome', { hasText: 'The faults have ended.' }).waitFor();
    expect(sandbox.faults.all().map(({ platform }) => platform)).toEqual(['twitch']);
  });

  test.for(PRESSES)('the clock moves $how', async ({ press }) => {
    await using opened = await open();
    const { page, sandbox } = opened;
    const startMs = sandbox.clock.nowMs();

    await press(page.getByRole('button', { name: '1 hour' }));
    await page.locator('#outcome', { hasText: 'The clock is moved.' }).waitFor();
    expect(sandbox.clock.nowMs() - startMs).toBe(HOUR_MS);
    await page.getByText(/20 Nov, 19:00:\d\d/u).waitFor();

    await press(page.getByRole('button', { name: '5 times as fast' }));
    await page.getByRole('button', { name: '5 times as fast', pressed: true }).waitFor();
  });

  test('a refusal shows its reason', async () => {
    await using opened = await open();
    const { page } = opened;
    await page.getByLabel('Feed', { exact: true }).fill('https://blog.example');
    await page.getByLabel('Title').fill('Patch notes');

    await page.getByRole('button', { name: 'Publish' }).click();

    const outcome = page.locator('#outcome [data-tone="bad"]');
    await outcome.waitFor();
    expect(await outcome.textContent()).toContain('feed: expected');
  });

  test('after a lost answer, the same button does nothing twice', async () => {
    await using opened = await open();
    const { page, sandbox } = opened;
    let isLost = true;
    await page.route('**/api/sandbox/faults', async (route) => {
      if (!isLost) return route.continue();
      isLost = false;
      // Playwright leaves this header out, which tells the server that the page sent the request.
      await route.fetch({ headers: { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' } });
      return route.abort();
    });

    const button = page.getByRole('button', { name: 'Break it' });
    await button.click();
    await page.locator('#outcome [data-tone="bad"]', { hasText: 'did not answer' }).waitFor();
    await button.click();
    await page.locator('#outcome [data-tone="good"]').waitFor();

    expect(sandbox.faults.all().filter(({ platform }) => platform === 'discord')).toHaveLength(1);
  });

  test('without scripts, people can read and search', async () => {
    await using opened = await open({ javaScriptEnabled: false });
    const { page } = opened;

    await page.getByLabel('Streamer or game').fill('grace');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/=grace/u);

    expect(await page.locator('.streamers .what').allTextContents()).toContain('Grace');
    expect(await page.getByRole('button', { name: 'End Grace' }).count()).toBe(0);
  });

  test('x opens the view from other pages of a sandbox', async () => {
    await using opened = await open({ path: '/deliveries' });

    await opened.page.keyboard.press('x');

    await opened.page.waitForURL('**/sandbox');
    expect(await opened.page.getByRole('heading', { name: 'Sandbox', level: 1 }).count()).toBe(1);
  });
});
