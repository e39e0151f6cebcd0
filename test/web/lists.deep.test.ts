import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createListActions } from '#src/admin/actions/list-actions.ts';
import { createListQueries } from '#src/admin/queries/lists.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { publishChanges } from '#src/app/publish-changes.ts';
import { openStore } from '#src/store/store.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { fakeStreaming } from '../support/fake-streaming.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { rulesOf } from '../support/rule-language.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { NOW } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, PRESSES, SIZED_PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const BY = { name: 'bob', via: 'discord', role: 'editor' } as const;
const PATHS = ['/lists', '/lists/team', '/lists/team?add=lin%20nobody', '/lists/team?q=zzz', '/lists/partners'] as const;

interface Opened extends OpenedPage {
  /** Ends the notifications of changes, so that the view stays as it is. */
  endEvents(): void;
  /** The ids of the entries of `team`. */
  ids(): Promise<readonly string[]>;
  /** Adds an entry to `team`, as another person does. */
  addInDiscord(id: string): Promise<unknown>;
}

describe.runIf(hasChromium)('the apiQueries of lists in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    await using stack = new AsyncDisposableStack();
    const apiQueries = new FakeApiQueries();
    let hasEvents = true;
    const changing: EventBus['changing'] =
      (...kinds) =>
      () =>
        kinds.forEach((kind) => hasEvents && apiQueries.emit({ kind }));
    const store = publishChanges(stack.use(await openStore({ clock: new ManualClock(NOW) })), { changing });
    const files = stack.use(temporaryFolder());
    await writeFile(join(files.path, 'partners.yaml'), `${JSON.stringify(ATTACK)}: { line: ${JSON.stringify(ATTACK)} }\n`);
    const folder = openListFolder(files.path);
    const actions = createListActions({
      lists: store.lists,
      auditLog: store.auditLog,
      fileLists: () => Promise.resolve(new Map([['partners', { file: 'lists/partners.yaml' }]])),
      rules: () => RULES,
    });
    const entries = [
      { id: 'ada', fields: { twitch: 'ada', name: 'Ada' } },
      { id: ATTACK, fields: { name: ATTACK, line: ATTACK } },
    ];
    await actions.addListEntries({ list: 'team', entries }, BY);
    const operations = {
      ...noOperations,
      actions: { ...noOperations.actions, ...actions },
      servers: () => Promise.resolve([]),
      lists: createListQueries({ lists: store.lists, folder }),
      loadedRules: { now: { rules: RULES }, isOn: () => true },
      streaming: fakeStreaming({ twitch: ['Lin'], kick: ['lin'] }),
      repeatedRequests: store.repeatedRequests,
    };
    const opened = stack.use(await openPage(browser(), path, { apiQueries, operations }, options));
    const moved = stack.move();
    return {
      ...opened,
      addInDiscord: (id) => actions.addListEntries({ list: 'team', entries: [{ id, fields: {} }] }, BY),
      endEvents: () => void (hasEvents = false),
      ids: async () => [...((await store.lists.entries({ list: 'team' }))?.keys() ?? [])],
      [Symbol.asyncDispose]: () => moved.disposeAsync(),
    };
  }

  test.for(PATHS)('axe finds nothing serious, and nothing is wider than the window: %s', async (path) => {
    await using opened = await open(path);
    const { page } = opened;
    for (const summary of await page.locator('summary').all()) await summary.click();

    expect(await flawsOf(page)).toEqual([]);
    expect(await page.title()).not.toBe('taken');
    // A picture of the tests does not exist.
    expect(opened.errors.filter((one) => !one.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
  });

  test.for(SIZED_PRESSES)('a person is removed, and comes back with Undo, $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/lists/team', { size });
    const { page } = opened;

    await press(page.getByRole('button', { name: 'Remove Ada', exact: true }));

    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).waitFor({ state: 'detached' });
    expect(await opened.ids()).toEqual([ATTACK]);
    expect(await page.getByRole('alert').textContent()).toBe('Ada is removed. Undo');
    expect(await undo.evaluate((one) => one.matches(':focus'))).toBe(true);
    await press(undo);
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).waitFor();
    expect((await opened.ids()).toSorted()).toEqual([ATTACK, 'ada'].toSorted());
    expect(await page.getByText('undoes a change').count()).toBe(1);
    // The person goes on where the entry is, and not at the begin of the page.
    expect(await page.locator('section:focus').getAttribute('aria-labelledby')).toBe('entries');
    expect(opened.errors).toEqual([]);
  });

  test('the focus moves to Undo if the view changes before the answer, unless the person went on', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true });
    const undo = (name: string) =>
      page
        .getByRole('alert')
        .locator('p', { hasText: `${name} is removed.` })
        .getByRole('button');
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let sent = 0;
    await page.route('**/api/lists/team/entries*', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const response = await route.fetch({ headers: { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' } });
      await answers[sent++]?.promise;
      await route.fulfill({ response });
    });

    await remove('Ada').press('Enter');
    await page.locator('section:focus').waitFor();
    expect(await remove('Ada').count()).toBe(0);
    answers[0].resolve();
    await undo('Ada').and(page.locator(':focus')).waitFor();

    await remove(ATTACK).press('Enter');
    await page.locator('section:focus').waitFor();
    await page.getByRole('link', { name: 'Overview' }).focus();
    answers[1].resolve();
    await undo(ATTACK).waitFor();
    expect(await undo(ATTACK).evaluate((one) => one.matches(':focus'))).toBe(false);
  });

  test('a key that is held down on Remove does not press Undo', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).focus();

    await page.keyboard.down('Enter');
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.down('Enter');
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).waitFor({ state: 'detached' });

    expect(await page.getByRole('alert').textContent()).toBe('Ada is removed. Undo');
    expect(await opened.ids()).toEqual([ATTACK]);
  });

  test.for(PRESSES)('a person is found and added $how', async ({ press }) => {
    await using opened = await open('/lists');
    const { page } = opened;
    await page.getByRole('link', { name: 'team', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Names or links of channels' }).fill('lin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/add=lin/u);
    await live(page);

    // The same names can be searched again, for example after a platform did not answer.
    for (const url of [/again=yes&add=lin#/u, /\?add=lin#/u]) {
      await press(page.getByRole('button', { name: 'Find' }));
      await page.waitForURL(url);
      await live(page);
    }
    await press(page.getByRole('button', { name: 'Add Lin with all channels' }));

    await page.getByRole('alert').getByText('Lin is in the list.').waitFor();
    await page.getByText('in the list', { exact: true }).first().waitFor();
    expect(await opened.ids()).toContain('lin');
    expect(await page.getByRole('button', { name: 'Add Lin' }).count()).toBe(0);
  });

  test('a change is undone in the history, and a list is created', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;

    await page.getByRole('button', { name: 'Undo of the change: added: ada' }).click();
    await page.getByText('The list has no entries.').waitFor();
    expect(await opened.ids()).toEqual([]);
    await page.goto(new URL('/lists', page.url()).href);
    await live(page);
    await page.getByText('New list').click();
    await page.getByLabel('Name of the list').fill('friends');
    await page.getByLabel('First entry').fill('grace');
    await page.keyboard.press('Enter');

    await page.getByRole('alert').getByText('The list is created.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'friends' }).waitFor();
    await page.getByLabel('Name of the list').fill('friends');
    await page.getByLabel('First entry').fill('lin');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The entry is in the list.').waitFor();
    expect(opened.errors).toEqual([]);
  });

  test('the reason of a refusal covers no button at the end of a small window', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    await page.setViewportSize({ width: 320, height: 500 });
    await page.getByText('Add another entry').click();
    await page.getByLabel('Id of the entry').fill('ada\u200e');
    await page.keyboard.press('Enter');
    await page.locator('#outcome [data-tone="bad"]').waitFor();

    const last = page.getByRole('button', { name: 'Delete list' });
    await last.focus();

    const isReachable = await page.evaluate(`{
      const one = document.activeElement;
      const { left, top, width, height } = one.getBoundingClientRect();
      document.elementFromPoint(left + width / 2, top + height / 2) === one;
    }`);
    expect(isReachable).toBe(true);
  });

  test('after Back, the filter is that of the address', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    const filter = page.getByRole('searchbox', { name: 'Name or field' });
    for (const text of ['ada', 'zzz']) {
      await filter.fill(text);
      await filter.press('Enter');
      await page.waitForURL(`**/lists/team?*q=${text}#entries`);
      await live(page);
    }

    await page.goBack();
    await live(page);

    expect(new URL(page.url()).search).toBe('?q=ada');
    expect(await filter.inputValue()).toBe('ada');
  });

  test('a list is deleted, and comes back with Undo', async () => {
    await using opened = await open('/lists');
    const { page } = opened;
    await page.getByText('New list').click();
    await page.getByLabel('Name of the list').fill('tema');
    await page.getByLabel('First entry').fill('grace');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'tema' }).click();
    await live(page);

    await page.getByRole('button', { name: 'Delete list' }).click();

    await page.getByText('This list was deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove grace' }).count()).toBe(0);
    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
    expect(await undo.evaluate((one) => one.matches(':focus'))).toBe(true);
    await undo.click();
    await page.getByRole('button', { name: 'Remove grace', exact: true }).waitFor();
    // The browser reports that the deleted list was not found.
    expect(opened.errors.filter((one) => !one.includes('404'))).toEqual([]);
  });

  test('a list that rules read is not deleted', async () => {
    await using opened = await open('/lists/team', { locale: 'de-DE' });
    const { page } = opened;

    await page.getByRole('button', { name: 'Liste löschen' }).click();

    await page.getByRole('alert').getByText('watcher').waitFor();
    expect(await opened.ids()).toHaveLength(2);
  });

  test('what another person changes in Discord appears in both views', async () => {
    await using list = await open('/lists/team');
    await using lists = await open('/lists');

    await Promise.all([list.addInDiscord('grace'), lists.addInDiscord('grace')]);

    await list.page.getByRole('button', { name: 'Remove grace', exact: true }).waitFor();
    await list.page.getByText('added: grace').first().waitFor();
    await lists.page.getByText('3 entries').waitFor();
    expect([...list.errors, ...lists.errors]).toEqual([]);
  });

  test('a found person stays while others change the list, without another search', async () => {
    await using opened = await open('/lists/team?add=lin');
    const { page } = opened;
    const searches: string[] = [];
    page.on('request', (request) => request.url().includes('/api/streamers') && searches.push(request.url()));

    await opened.addInDiscord('grace');

    await page.getByRole('button', { name: 'Remove grace', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add Lin (twitch) to team' }).click();
    await page.getByText('in the list', { exact: true }).waitFor();
    expect(searches).toEqual([]);
  });

  test('a refusal is in the language of the page', async () => {
    await using opened = await open('/lists/team', { locale: 'de-DE' });
    const { page } = opened;

    await page.getByText('Anderen Eintrag').click();
    await page.locator('input[name="entries.0.id"]').fill('ada');
    await page.keyboard.press('Enter');

    await page.getByRole('alert').getByText('Die Liste hat diesen Eintrag schon.').waitFor();
    expect(await page.getByRole('alert').locator('p').getAttribute('lang')).toBe(null);
  });

  test.each(['/lists', '/lists/team'])('%s does not take an address for the id of an entry', async (path) => {
    await using opened = await open(path);
    const { page } = opened;
    const isValid = (id: string): Promise<unknown> =>
      page.evaluate(`{ const field = document.querySelector('input[name="entries.0.id"]');
        field.value = ${JSON.stringify(id)};
        field.validity.valid; }`);

    for (const id of ['https://www.twitch.tv/ada', 'twitch.tv/ada', 'https://kick.com']) expect(await isValid(id), id).toBe(false);
    for (const id of ['ada', 'Ada L.', 'a/b', 'grace.bsky.social', '@ada@example.social']) expect(await isValid(id), id).toBe(true);
  });

  test('a refusal and an offer to undo stay beside each other until they are read', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    // The test runs the timers of the results itself.
    await page.evaluate(`const [later, end] = [setTimeout, clearTimeout], reads = (globalThis.reads = new Map());
      globalThis.setTimeout = (run, ms) => { const id = later(ms === 8000 ? () => {} : run, ms); if (ms === 8000) reads.set(id, run); return id; };
      globalThis.clearTimeout = (id) => (reads.delete(id), end(id));`);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/lists/team/entries', async (route) => {
      if (route.request().method() === 'POST') await promise;
      await route.continue();
    });
    const lines = page.getByRole('alert').locator('p');

    await page.getByText('Add another entry').click();
    await page.getByLabel('Id of the entry').fill('ada');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).waitFor();
    await page.getByRole('button', { name: `Remove ${ATTACK}`, exact: true }).click();
    await lines.getByRole('button', { name: 'Undo' }).waitFor();
    resolve();
    await lines.getByText('The list team already has the entry ada.').waitFor();

    expect(await lines.evaluateAll((all) => all.map((one) => one.dataset['tone']))).toEqual(['bad', 'good']);
    expect(await page.getByLabel('Id of the entry').inputValue()).toBe('ada');
    expect(await flawsOf(page)).toEqual([]);
    await page.evaluate('for (const read of reads.values()) read()');
    expect(await lines.count()).toBe(2);
    await page.getByRole('button', { name: 'Remove Ada', exact: true }).click();
    await lines.getByText('Ada is removed.').waitFor();
    expect(await lines.count()).toBe(1);
  });

  test('a removal without an answer is repeated with the same key', async () => {
    await using opened = await open('/lists/team', { locale: 'de-DE' });
    const { page } = opened;
    const keys: (string | undefined)[] = [];
    await page.route('**/api/lists/**', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length === 1) {
        // The request arrives, and its answer is lost.
        await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } });
        await route.abort();
      } else await route.continue();
    });
    const remove = page.getByRole('button', { name: 'Entfernen Ada', exact: true });
    // The view keeps the button until it loads what changed.
    opened.endEvents();
    await page.evaluate('document.addEventListener("acted", (event) => event.stopImmediatePropagation(), { capture: true })');

    await remove.click();
    await page.getByRole('alert').getByText('Fanfare hat nicht geantwortet.').waitFor();
    await remove.click();

    await page.getByRole('alert').getByText('Ada ist entfernt.').waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await opened.ids()).toEqual([ATTACK]);
  });
});

const RULES = rulesOf(
  'id: watcher\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
);

/** Waits for the script of a view. */
function live(page: Page): Promise<void> {
  return page.locator('#connection[data-state="live"]').waitFor();
}
