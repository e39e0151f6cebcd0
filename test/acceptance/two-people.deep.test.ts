import type { Page } from 'playwright-core';
import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { openControls } from '../discord/controls/fixture.ts';
import { deliveryIn } from './delivery-in.ts';

const RULE = `id: live
when: { every: 7d, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 3 }
then: [{ id: hello, do: discord.send, with: { channel: general, content: hello } }]
`;
const Actions = z.object({ items: z.array(z.object({ action: z.string(), outcome: z.string() })) });

/** The results that the people read, after both pressed the button at once. */
async function pressAtOnce(pages: readonly Page[], button: string): Promise<readonly string[]> {
  const sent = pages.map(() => Promise.withResolvers<void>());
  // The page of a slow person would show the action of the other one before the press.
  for (const [index, page] of pages.entries()) {
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'POST') {
        sent[index]?.resolve();
        await Promise.all(sent.map(({ promise }) => promise));
      }
      await route.continue();
    });
  }
  await Promise.all(pages.map((page) => page.getByRole('button', { name: button }).first().click()));
  const outcome = (page: Page) => page.locator('#outcome [data-tone]:not([data-tone=busy])');
  return Promise.all(pages.map(async (page) => (await outcome(page).innerText()).trim()));
}

describe.runIf(hasChromium)('two people who press the same button at once', () => {
  const browser = useChromium();

  test.for([
    ['Send again', 'resendDelivery', 'failed', 'refused'],
    ['It was sent', 'resolveDelivery', 'unknown', 'refused'],
    ['Pause', 'pauseRule', undefined, 'unchanged'],
  ] as const)('%s: one action, and the second person sees it', async ([button, action, state, second]) => {
    await using fixture = await openControls({ files: { 'live.yaml': RULE } });
    const address = state === undefined ? '/rules/live' : `/deliveries/${await deliveryIn(fixture, state, 'first')}`;
    const pages = await Promise.all(['Ada', 'Grace'].map(async () => (await browser().newContext()).newPage()));
    for (const page of pages) {
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(`${fixture.url}${address}`);
      await page.getByRole('button', { name: button }).first().waitFor();
    }

    const results = await pressAtOnce(pages, button);

    // The button of a paused rule keeps its place, without a function.
    for (const page of pages) {
      const usable = page
        .getByRole('button', { name: button })
        .first()
        .and(page.getByRole('button', { disabled: false }));
      await usable.waitFor({ state: 'hidden' });
    }
    const { items } = Actions.parse(await (await fetch(`${fixture.url}/api/actions`)).json());
    expect(items.map((one) => one.action)).toEqual([action, action]);
    expect(items.map((one) => one.outcome).toSorted()).toEqual(['done', second]);
    // A rule that is paused already is paused for the second person too.
    expect(new Set(results).size).toBe(second === 'refused' ? 2 : 1);
    const sent = async () => (await fixture.messages('general')).filter(({ content }) => content === 'hello').length;
    // The buttons disappear before the message is sent.
    await expect.poll(sent).toBe(state === 'failed' ? 1 : 0);
  });
});
