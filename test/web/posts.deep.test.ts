import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createPostActions } from '#src/admin/actions/post-actions.ts';
import { publishChanges } from '#src/app/publish-changes.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { RunningPosting } from '#src/engine/posting/create-posting.ts';
import { openStore } from '#src/store/store.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { postingOver } from '../support/posting-over.ts';
import { decision, minutesAgo, NOW } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, SIZED_PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const GRACE = { name: 'grace', via: 'discord', role: 'editor', id: '8' } as const;

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
  readonly posting: RunningPosting;
  /** Edits the post `p1`, as another person does. */
  editInDiscord(text: string): Promise<unknown>;
}

describe.runIf(hasChromium)('the view of waiting posts in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    await using stack = new AsyncDisposableStack();
    const apiQueries = new FakeApiQueries();
    const changing: EventBus['changing'] =
      (...kinds) =>
      () =>
        kinds.forEach((kind) => apiQueries.emit({ kind }));
    const clock = new ManualClock(NOW);
    const store = publishChanges(stack.use(await openStore({ clock })), { changing });
    const posting = postingOver(store, clock, ['x', 'club']);
    const by = { id: '1', name: ATTACK };
    await posting.send({ text: 'Doors opn', accounts: ['x', 'club'] }, { id: 'p1', by, server: 'home', at: minutesAgo(-90) });
    await posting.send({ text: ATTACK, accounts: ['x'] }, { id: 'p2', by, server: undefined, at: minutesAgo(-100) });
    const actions = createPostActions({ posting, failureText: () => Promise.resolve('failed'), auditLog: store.auditLog });
    const operations = {
      ...noOperations,
      actions: { ...noOperations.actions, ...actions },
      waitingPosts: () => posting.allWaiting(),
      repeatedRequests: store.repeatedRequests,
    };
    const opened = stack.use(await openPage(browser(), path, { apiQueries, operations }, options));
    const moved = stack.move();
    return {
      ...opened,
      apiQueries,
      posting,
      editInDiscord: async (text) => actions.editPost({ post: 'p1', text, edits: (await posting.find('p1'))?.edits ?? 0 }, GRACE),
      [Symbol.asyncDispose]: () => moved.disposeAsync(),
    };
  }

  test('axe finds nothing serious, nothing is wider than the window, and markup of a post stays text', async () => {
    await using opened = await open('/posts');
    const { page } = opened;
    for (const summary of await page.locator('summary').all()) await summary.click();

    expect(await flawsOf(page)).toEqual([]);
    expect(await page.getByText(ATTACK, { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.title()).toBe('Waiting posts · Fanfare');
    expect(opened.errors).toEqual([]);
  });

  test('a typed content warning is not left without a question, and line breaks of stored descriptions count as no edit', async () => {
    await using opened = await open('/posts');
    const { page } = opened;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    const post = postIn(page);
    await post.getByText('Edit').click();

    await post.getByLabel('Content warning').fill('Spoiler');
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => questions).toEqual(['beforeunload']);
    await post.getByLabel('Content warning').fill('');
    await post.getByLabel('Content warning').evaluate((field) => field.setAttribute('value', 'One\nTwo'));
    await post.getByLabel('Content warning').fill('OneTwo');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/overview');

    expect(questions).toHaveLength(1);
  });

  test.for(SIZED_PRESSES)('a post is edited, moved and cancelled, $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/posts', { size, timezoneId: 'Europe/Berlin' });
    const { page, posting } = opened;
    const post = postIn(page);

    await press(post.getByText('Edit'));
    await post.getByLabel('Text').fill('Doors open');
    await press(post.getByRole('button', { name: 'Save' }));
    await page.getByRole('alert').getByText('The post is changed.').waitFor();
    await post.locator('.text', { hasText: 'Doors open' }).waitFor();
    expect(await post.getByLabel('Text').inputValue()).toBe('Doors open');
    // A focused field would open the keyboard of a phone, and what is saved needs no further text.
    expect(await post.getByLabel('Text').isVisible()).toBe(false);
    expect(await page.locator('summary:focus').textContent()).toContain('Edit');

    await press(post.getByText('Another time'));
    const time = post.getByLabel('New time');
    // The post waits for 19:30 UTC.
    expect(await time.inputValue()).toBe('2026-11-20T20:30');
    await time.fill('2026-11-21T08:15');
    await press(post.getByRole('button', { name: 'Move' }));
    await page.getByRole('alert').getByText('The post has a new time.').waitFor();
    await post.getByText('21 Nov, 08:15:00').waitFor();
    expect(await time.isVisible()).toBe(false);
    expect(await posting.find('p1')).toMatchObject({ text: 'Doors open', edits: 1, at: new Date('2026-11-21T07:15:00Z') });

    await press(post.getByRole('button', { name: 'Cancel post' }));
    expect(await page.getByRole('dialog').textContent()).toContain('Cancel this post to x, club? “Doors open”');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Yes' }));
    await page.getByRole('alert').getByText('The post is cancelled.').waitFor();
    await post.waitFor({ state: 'detached' });
    expect((await posting.allWaiting()).map(({ id }) => id)).toEqual(['p2']);
    expect(opened.errors).toEqual([]);
  });

  test('a content warning is added and taken away', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    await post.getByText('Edit').click();
    const field = post.getByLabel('Content warning');
    for (const [warning, stored] of [
      ['Loud', 'Loud'],
      ['', undefined],
    ] as const) {
      if (!(await field.isVisible())) await post.locator('summary').first().click();
      await field.fill(warning);
      await post.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await posting.find('p1'))?.warning).toBe(stored);
      await expect.poll(() => post.getByText('Content warning: Loud').count()).toBe(stored === undefined ? 0 : 1);
    }
    expect(opened.errors).toEqual([]);
  });

  test.for(SIZED_PRESSES)('a post is sent now, $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/posts', { size });
    const { page, posting } = opened;
    const post = postIn(page);

    await press(post.getByRole('button', { name: 'Send now' }));
    expect(await page.getByRole('dialog').textContent()).toContain('Send this post to x, club now? “Doors opn”');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Yes' }));

    await page.getByRole('alert').getByText('The post is sent now.').waitFor();
    await post.waitFor({ state: 'detached' });
    expect((await posting.find('p1'))?.at).toEqual(NOW);
    expect(opened.errors).toEqual([]);
  });

  test('the question of a post that is sent now says that the typed text is not saved', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    await post.getByText('Edit').click();
    await post.getByLabel('Text').fill('Doors open');

    await post.getByRole('button', { name: 'Send now' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('The text that you typed is not saved, and is not sent.');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect((await posting.find('p1'))?.at).toEqual(minutesAgo(-90));

    await post.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The post is changed.').waitFor();
    await post.getByRole('button', { name: 'Send now' }).click();
    expect(await dialog.textContent()).not.toContain('is not saved');
  });

  test('a text that is typed further while it is saved can be saved too', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/waiting-posts/p1/edit', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await post.getByText('Edit').click();
    const text = post.getByLabel('Text');
    await text.fill('Doors open');
    await post.getByRole('button', { name: 'Save' }).click();
    await text.fill('Doors open at six');
    answer.resolve();

    await page.getByRole('alert').getByText('The post is changed.').waitFor();
    await post.locator('.text', { hasText: 'Doors open' }).waitFor();
    expect(await post.getByText('Another person has edited this post').count()).toBe(0);
    await post.getByRole('button', { name: 'Save' }).click();
    await post.locator('.text', { hasText: 'Doors open at six' }).waitFor();
    expect((await posting.find('p1'))?.text).toBe('Doors open at six');
    expect(opened.errors).toEqual([]);
  });

  test('a typed text does not replace the edit of another person, until the reader has seen it', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    await post.getByText('Edit').click();
    const text = post.getByLabel('Text');
    await text.fill('Doors open at five');

    await opened.editInDiscord('Doors open at six');
    await post.getByText('Another person has edited this post').waitFor();
    expect(await text.inputValue()).toBe('Doors open at five');
    await post.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Another person has edited the post.').waitFor();
    expect((await posting.find('p1'))?.text).toBe('Doors open at six');

    await post.getByRole('button', { name: 'Discard my text' }).click();
    expect(await text.inputValue()).toBe('Doors open at six');
    await text.fill('Doors open at six!');
    await post.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The post is changed.').waitFor();
    expect((await posting.find('p1'))?.text).toBe('Doors open at six!');
  });

  test('what another person edits appears in the list and in the field', async () => {
    await using opened = await open('/posts');
    const post = postIn(opened.page);
    await post.getByText('Edit').click();

    await opened.editInDiscord('Doors open at six');

    await post.locator('.text', { hasText: 'Doors open at six' }).waitFor();
    await post.getByText('edited by grace').waitFor();
    expect(await post.getByLabel('Text').inputValue()).toBe('Doors open at six');
    expect(opened.errors).toEqual([]);
  });

  test('the browser refuses an empty text and a time that is over at their fields', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);

    await post.getByText('Edit').click();
    await post.getByLabel('Text').fill('');
    await post.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('textarea:focus:invalid').count()).toBe(1);
    await post.getByText('Another time').click();
    await post.getByLabel('New time').fill('2026-11-20T17:00');
    await post.getByRole('button', { name: 'Move' }).click();
    expect(await page.locator('input[type=datetime-local]:focus:invalid').count()).toBe(1);

    expect(await posting.find('p1')).toMatchObject({ text: 'Doors opn', at: minutesAgo(-90) });
  });

  test.for([
    ['en-GB', 'linus cancelled the post.'],
    ['de-DE', 'Der Beitrag ist schon zurückgenommen.'],
  ] as const)('a refusal is in the language of the page: %s', async ([locale, refusal]) => {
    await using opened = await open('/posts', { locale });
    const { page, posting } = opened;
    const post = postIn(page);
    await post.locator('summary').first().click();
    await post.locator('textarea').fill('Too late');

    await posting.cancel('p1', { id: '2', name: 'linus' });
    await post.locator('form[data-operation=editPost] button').click();

    await page.getByRole('alert').getByText(refusal).waitFor();
    // The refused action loads the list again. The typed text stays until the reader discards it.
    await post.getByRole('status').waitFor();
    expect(await post.locator('textarea').inputValue()).toBe('Too late');
    await post.locator('button[type=reset]').click();
    await post.waitFor({ state: 'detached' });
  });

  test('a text that an account cannot send is refused, and stays in its field', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    await post.getByText('Edit').click();
    await post.getByLabel('Text').fill('  ');
    await post.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('alert').getByText('x: the post has no text').waitFor();
    expect(await post.getByLabel('Text').inputValue()).toBe('  ');
    expect((await posting.find('p1'))?.text).toBe('Doors opn');
  });

  test('a cancellation that is too late for an account is not shown as a success', async () => {
    await using opened = await open('/posts');
    const { page } = opened;
    const targets = [
      { account: 'x', state: 'sent', url: 'https://x.test/1' },
      { account: 'club', state: 'skipped' },
    ];
    await page.route('**/api/waiting-posts/p1/cancel', (route) => route.fulfill({ json: { id: 'p1', targets } }));

    await postIn(page).getByRole('button', { name: 'Cancel post' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();

    const outcome = page.getByRole('alert').getByText('It was too late for some accounts.');
    await outcome.waitFor();
    expect(await outcome.getAttribute('data-tone')).toBe('bad');
  });

  test('a post that is sent while a reader types keeps the text and the focus', async () => {
    await using opened = await open('/posts');
    const { page, posting } = opened;
    const post = postIn(page);
    await post.getByText('Edit').click();
    await post.getByLabel('Text').fill('Doors');

    await posting.cancel('p1', { id: '2', name: 'linus' });
    opened.apiQueries.emit({ kind: 'decision', item: decision() });
    await post.getByText('This post is no longer in the list').waitFor();
    await page.keyboard.type(' open');

    expect(await post.getByLabel('Text').inputValue()).toBe('Doors open');
    expect(opened.errors).toEqual([]);
  });
});

/** The first post, by the form that cancels it. */
function postIn(page: Page) {
  return page.locator('li', { has: page.locator(`form[data-operation=cancelPost][data-input*='"p1"']`) });
}
