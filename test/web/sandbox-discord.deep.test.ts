import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { NOW } from '../support/view-records.ts';
import { openDiscordSite, type DiscordSite } from './open-discord-site.ts';
import { ATTACK, flawsOf, openPage, PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

interface Opened extends OpenedPage, DiscordSite {}

describe.runIf(hasChromium)('the simulated Discord in a browser', () => {
  const browser = useChromium();

  async function open({
    text,
    path = '',
    ...options
  }: OpenPageOptions & { readonly text?: string; readonly path?: string } = {}): Promise<Opened> {
    const site = await openDiscordSite(text);
    await site.discord.interact({ user: 'ada', channel: 'general', command: 'show panel' });
    return { ...site, ...(await openPage(browser(), `/sandbox/discord${path}`, { ...site, apiQueries: new FakeApiQueries() }, options)) };
  }

  const lastMessage = (page: Page) => page.locator('.messages > li').last();
  const options = (page: Page) => page.locator('#suggestions [role=option]');

  test.for(['en-GB', 'de-DE'])('fits, has no serious findings of axe and no errors: %s', async (locale) => {
    await using opened = await open({ text: ATTACK, locale });
    const { page } = opened;
    await page.getByRole('combobox', { name: '#general' }).fill('/');
    await options(page).first().waitFor();

    expect(await flawsOf(page)).toEqual([]);
    expect([opened.errors, await page.title()]).toEqual([
      [],
      locale === 'de-DE' ? 'Discord der Sandbox: #general · Fanfare' : 'Discord of the sandbox: #general · Fanfare',
    ]);
  });

  test('a command with its options is typed with the keyboard alone', async () => {
    await using opened = await open();
    const { page, got } = opened;
    const field = page.getByRole('combobox', { name: 'Message #general' });
    await field.focus();

    await page.keyboard.type('/sh');
    await options(page).getByText('/show panel').waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('/show panel ');
    // Without a required option, the list selects none, and Enter sends.
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('[aria-selected="true"]').textContent()).toBe('size: The size');
    await page.emulateMedia({ forcedColors: 'active' });
    const outlines = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('[role=option]')].map((one) => getComputedStyle(one).outlineStyle)`,
    );
    await page.emulateMedia({ forcedColors: 'none' });
    expect(outlines.filter((style) => style !== 'none')).toEqual(['solid']);
    await page.keyboard.press('Tab');
    expect(await options(page).allTextContents()).toEqual(['Very large', 'Small']);
    await page.keyboard.press('Enter');
    await page.keyboard.type('who: li');
    await options(page).getByText('@Linus').waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('/show panel size: Very large who: @Linus ');
    await page.keyboard.press('Enter');

    await expect.poll(() => got.at(-1)).toMatch(/^show panel \{"size":"xl","who":"\d+"\} en-US$/u);
    await expect.poll(() => field.inputValue()).toBe('');
    await expect.poll(() => page.locator('.messages > li').count()).toBe(2);
    expect(opened.errors).toEqual([]);
  });

  test('the bot suggests values, and the answer is for this member only', async () => {
    await using opened = await open({ locale: 'de-DE' });
    const { page, got } = opened;
    const field = page.getByRole('combobox', { name: 'Nachricht an #general' });
    await field.focus();

    await page.keyboard.type('/gr');
    await options(page).getByText('/grüßen').waitFor();
    await page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('/grüßen name: ');
    await page.keyboard.type('gr');
    await options(page).getByText('Grace · live').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await lastMessage(page).getByText('greet id-of-grace').waitFor();
    await lastMessage(page).getByText('Nur für dieses Mitglied sichtbar').waitFor();
    expect(got.at(-1)).toBe('greet {"name":"id-of-grace"} de');
    await page.goto(`${new URL(page.url()).origin}/sandbox/discord?as=linus`);
    await page.getByText('A panel').first().waitFor();
    expect(await page.getByText('greet id-of-grace').count()).toBe(0);
  });

  test('the mouse takes an entry, and Escape closes the list', async () => {
    await using opened = await open();
    const { page } = opened;
    const field = page.getByRole('combobox', { name: 'Message #general' });
    await field.fill('/');
    await options(page).getByText('/slow').click();

    expect(await field.inputValue()).toBe('/slow ');
    await field.fill('/');
    await options(page).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await options(page).count()).toBe(0);
    expect(await field.getAttribute('aria-expanded')).toBe('false');
  });

  test('a deferred answer appears by itself', async () => {
    await using opened = await open();
    const { page, finish } = opened;
    await page.getByRole('combobox').first().waitFor();
    await page.getByLabel('Message #general').fill('/slow ');
    await page.keyboard.press('Enter');

    await lastMessage(page).getByText('Fanfare is thinking…').waitFor();
    finish();

    await lastMessage(page).getByText('Thought about it').waitFor();
    expect(await lastMessage(page).getAttribute('aria-live')).toBeNull();
    expect(opened.errors).toEqual([]);
  });

  test('a screen reader reads new messages and answers, and not each edit of a card', async () => {
    await using opened = await open();
    const { page, discord } = opened;
    const message = lastMessage(page);
    const id = ((await message.getAttribute('id')) ?? '').slice(1);

    await message.getByRole('button', { name: 'A panel' }).click();
    await message.getByText('A panel next').first().waitFor();
    expect(await message.getAttribute('aria-live')).toBeNull();
    await page.reload();
    await discord.interact({ user: 'linus', message: id, customId: 'color', values: ['red'] });

    await expect.poll(() => message.getAttribute('aria-live')).toBe('off');
  });

  test.for(PRESSES)('buttons, menus and forms of the bot are used $how', async ({ press }) => {
    await using opened = await open();
    const { page, got } = opened;
    const message = lastMessage(page);

    await press(message.getByRole('button', { name: 'A panel' }));
    await message.getByText('A panel next').first().waitFor();
    // The focus stays on the button, although its message changed.
    await expect.poll(() => page.evaluate<string>('document.activeElement.dataset.press')).toBe('next');

    await message.getByLabel('Colour').selectOption('Blue');
    await press(message.getByRole('button', { name: 'Choose Colour' }));
    await message.getByText('A panel color blue').first().waitFor();

    await message.getByLabel('Monday').check();
    await message.getByLabel('Friday').check();
    await press(message.getByRole('button', { name: 'Choose Days' }));
    await message.getByText('A panel days monday,friday').first().waitFor();

    await message.getByLabel('Where').selectOption('#live');
    await press(message.getByRole('button', { name: 'Choose Where' }));
    await message
      .getByText(/A panel where \d+/u)
      .first()
      .waitFor();

    await press(message.getByRole('button', { name: 'Edit' }));
    const dialog = page.getByRole('dialog', { name: 'A panel' });
    await dialog.getByLabel('Title').fill('Go');
    await dialog.getByLabel('Title').press('Enter');
    await lastMessage(page).getByText('form Go').waitFor();
    // The message can appear before the answer to the form.
    await dialog.waitFor({ state: 'detached' });

    const menu = message.locator('summary');
    await press(menu);
    await press(message.getByRole('button', { name: 'Report' }));
    await expect.poll(() => got.at(-1)).toBe('Report');
    expect(opened.errors).toEqual([]);
  });

  test('what is pressed and written before an answer is sent after it, each once and in order', async () => {
    await using opened = await open();
    const { page, got } = opened;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/sandbox/discord/*', async (route) => {
      await promise;
      await route.continue();
    });
    const message = lastMessage(page);
    const field = page.getByLabel('Message #general');

    await message.getByRole('button', { name: 'A panel' }).click();
    await message.getByRole('button', { name: 'A panel' }).press('Enter');
    await message.getByLabel('Colour').selectOption('Blue');
    await message.getByRole('button', { name: 'Choose Colour' }).click();
    for (const text of ['first', 'second', 'first', 'second']) {
      await field.fill(text);
      await field.press('Enter');
    }
    resolve();

    await page.locator('.messages > li').filter({ hasText: 'second' }).nth(1).waitFor();
    await lastMessage(page).getByText('second').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    expect(got).toEqual(['show panel {} en-US', 'next', 'color blue']);
    expect(await page.locator('.messages > li').nth(-2).getByText('first').count()).toBe(1);
    expect(opened.errors).toEqual([]);
  });

  test('after a button that disappears, the focus is on the button in its place, or on its message', async () => {
    await using opened = await open();
    const { page } = opened;
    const message = lastMessage(page);
    const id = await message.getAttribute('id');
    const next = message.getByRole('button', { name: 'Next page' });
    const first = await next.getAttribute('data-press');

    await next.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => next.getAttribute('data-press')).not.toBe(first);
    await expect.poll(() => next.evaluate((one) => one.matches(':focus'))).toBe(true);
    await message.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await message.getByText('Finished').waitFor();

    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe(id);
    expect(opened.errors).toEqual([]);
  });

  test('a relative time in a text counts, and the link beside it keeps the focus', async () => {
    await using opened = await open();
    const { page } = opened;
    const field = page.getByRole('combobox', { name: 'Message #general' });
    await field.fill(`[the stream](https://example.com/) began <t:${NOW.getTime() / 1000 - 7200}:R>, <t:${NOW.getTime() / 1000 - 7200}:f>`);
    await page.keyboard.press('Enter');
    const link = lastMessage(page).getByRole('link', { name: 'the stream' });
    const time = lastMessage(page).locator('time[data-style=R]');
    await link.focus();
    const before = await time.textContent();

    await page.evaluate('Date.now = ((now) => () => now() + 86_400_000)(Date.now)');

    await expect.poll(() => time.textContent()).not.toBe(before);
    expect([before, await time.textContent()]).toEqual(['2 hours ago', '1 day ago']);
    expect(await link.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await page.getByRole('log').getAttribute('aria-relevant')).toBe('additions');
    expect(await lastMessage(page).locator('time[data-style=f]').getAttribute('title')).toContain('day');

    // Whoever reads on beside the link stays there.
    await page.evaluate('document.activeElement.blur()');
    await page.evaluate('Date.now = ((now) => () => now() + 86_400_000)(Date.now)');
    await page.getByText('2 days ago').waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  test('a menu without a choice and a disabled button send nothing', async () => {
    await using opened = await open();
    const { page, got } = opened;
    const before = got.length;

    await page.getByRole('button', { name: 'Choose Days' }).click();
    await page.locator('#outcome', { hasText: 'Choose 1 to 2.' }).waitFor();

    expect(await page.getByRole('button', { name: 'Never' }).isDisabled()).toBe(true);
    expect(got).toHaveLength(before);
  });

  test('a member without permission has fewer commands and channels, and a typed command is refused', async () => {
    await using opened = await open();
    const { page, got } = opened;
    await page.getByLabel('Message #general').fill('/mod');
    await options(page).getByText('/moderate').waitFor();

    await page.getByLabel('Act as').selectOption('linus');
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.waitForURL('**/sandbox/discord?as=linus');
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.getByLabel('Message #general').fill('/mod');

    expect(await options(page).count()).toBe(0);
    expect(await page.getByRole('navigation', { name: 'Channels' }).getByText('moderators').count()).toBe(0);
    await page.getByLabel('Message #general').press('Enter');
    await page.locator('#outcome', { hasText: 'The bot has no such command for Linus.' }).waitFor();
    expect(got.some((one) => one.startsWith('moderate'))).toBe(false);
  });

  test('a message is written and appears', async () => {
    await using opened = await open({ path: '?as=linus' });
    const { page } = opened;
    await page.getByLabel('Message #general').fill(ATTACK);

    await page.getByRole('button', { name: 'Send' }).click();

    await lastMessage(page).getByText('onerror').waitFor();
    expect(await lastMessage(page).getByText('Linus').count()).toBe(1);
    expect([opened.errors, await page.title()]).toEqual([[], 'Discord of the sandbox: #general · Fanfare']);
  });

  test('a refused command stays in the field with its reason', async () => {
    await using opened = await open();
    const { page } = opened;
    const field = page.getByLabel('Message #general');
    await field.fill('/greet ');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');

    await page.locator('#outcome [data-tone="bad"]', { hasText: 'options.name: required.' }).waitFor();
    expect(await field.inputValue()).toBe('/greet ');
  });

  test('a refused form shows only its reason, without the results of earlier actions', async () => {
    await using opened = await open();
    const { page } = opened;
    const { promise: isPressed, resolve: pressed } = Promise.withResolvers<void>();
    await page.route('**/api/sandbox/discord/interactions', async (route) => {
      const { command, modal } = route.request().postDataJSON() as { readonly command?: string; readonly modal?: string }; // sent by the page
      if (command !== undefined) await isPressed;
      return modal === undefined ? route.continue() : route.abort();
    });
    await page.getByLabel('Message #general').fill('/greet ');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await lastMessage(page).getByRole('button', { name: 'Edit' }).click();
    pressed();
    const dialog = page.getByRole('dialog', { name: 'A panel' });
    await page.locator('#outcome [data-tone="bad"]', { hasText: 'options.name: required.' }).waitFor();

    await dialog.getByLabel('Title').press('Enter');

    const problem = dialog.getByText('Fanfare did not answer.');
    await problem.waitFor();
    expect(await problem.textContent()).toBe('Fanfare did not answer. Look at the channel before you try again.');
  });

  test('without scripts, people read messages and choose a channel and a member', async () => {
    await using opened = await open({ javaScriptEnabled: false });
    const { page } = opened;

    await page.getByLabel('Act as').selectOption('linus');
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.getByRole('link', { name: 'live', exact: true }).click();
    await page.getByRole('heading', { name: /^live Who is live/u }).waitFor();
    await page.goBack();

    expect(await page.getByText('A panel').count()).toBeGreaterThan(0);
    expect(await page.locator('#composer').isVisible()).toBe(false);
  });
});
