import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { Problem } from '#src/web/problem.ts';
import { startWeb } from '#src/web/web.ts';
import { FakeViews } from '../support/fake-views.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { delivery, NOW, rule } from '../support/view-records.ts';

const CHROMIUM = '/usr/bin/chromium';

interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly views: FakeViews;
  /** The actions that were requested, with their actors. */
  readonly acts: readonly (readonly [action: string, input: object, via: string])[];
}

describe.runIf(existsSync(CHROMIUM))('the buttons of the page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(() => browser.close());

  async function open(size = { width: 1440, height: 900 }): Promise<Opened> {
    const views = new FakeViews();
    views.ruleList = [rule('go')];
    views.deliveryList = [delivery('d1', { state: 'unknown', account: 'x' }), delivery('d2', { state: 'failed', account: 'x' })];
    const acts: [string, object, string][] = [];
    const actions: Partial<Operations['actions']> = {
      pauseRule(input, by) {
        acts.push(['pauseRule', input, by.via]);
        views.ruleList = [rule('go', { paused: { at: NOW, by: by.name } })];
        return Promise.resolve({ rules: ['go'], changed: ['go'] });
      },
      resolveDelivery(input, by) {
        acts.push(['resolveDelivery', input, by.via]);
        views.deliveryList = views.deliveryList.map((one) => (one.id === 'd1' ? { ...one, state: 'pending' } : one));
        return Promise.resolve(undefined);
      },
      resendDelivery(input, by) {
        acts.push(['resendDelivery', input, by.via]);
        throw new Problem({ status: 409, code: 'refused', detail: 'The rule <b>go</b> is paused.' });
      },
    };
    const operations = { ...noOperations, actions: { ...noOperations.actions, ...actions } };
    const web = await startWeb({ host: '127.0.0.1', port: 0, views, operations, clock: new ManualClock(NOW), log: silentLog });
    const context = await browser.newContext({ viewport: size });
    const page = await context.newPage();
    await page.goto(web.url);
    await page.locator('#connection[data-state="live"]').waitFor();
    return {
      page,
      views,
      acts,
      [Symbol.asyncDispose]: async () => {
        await context.close();
        await web[Symbol.asyncDispose]();
      },
    };
  }

  test.for([
    ['with the mouse', (page: Page) => page.getByRole('button', { name: 'Pause go' }).click()],
    [
      'with the keyboard',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Pause go' }).focus();
        await page.keyboard.press('Enter');
      },
    ],
  ] as const)('a rule is paused %s, and can be resumed', async ([, press]) => {
    await using opened = await open();
    const { page, acts } = opened;

    await press(page);

    await page.getByRole('button', { name: 'Resume go' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('go is paused.');
    expect(acts).toEqual([['pauseRule', { rule: 'go' }, 'page']]);
  });

  test('on a phone, the buttons are in the window', async () => {
    await using opened = await open({ width: 390, height: 844 });
    const box = await opened.page.getByRole('button', { name: 'Pause go' }).boundingBox();

    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
  });

  test('a second message is sent only after a confirmation', async () => {
    await using opened = await open();
    const { page, acts } = opened;
    const again = page.locator('[data-key="d1"]').getByRole('button', { name: 'Send again' });

    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(acts).toEqual([]);
    await again.click();
    await page.keyboard.press('Escape');
    expect(acts).toEqual([]);
    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await again.waitFor({ state: 'detached' });

    expect(acts).toEqual([['resolveDelivery', { delivery: 'd1', resolution: 'again' }, 'page']]);
  });

  test('a refusal is shown as a text, and the focus stays on the button', async () => {
    await using opened = await open();
    const { page } = opened;
    const again = page.locator('[data-key="d2"]').getByRole('button', { name: 'Send again' });

    await again.click();

    await page.locator('#outcome[data-tone="bad"]').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The rule <b>go</b> is paused.');
    expect(await again.evaluate((button) => button.matches(':focus'))).toBe(true);
  });
});
