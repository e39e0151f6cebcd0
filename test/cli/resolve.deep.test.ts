import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOfflineActions } from '#src/app/open-offline-actions.ts';
import type { Resolution } from '#src/admin/actions/actions.ts';
import { openStore } from '#src/store/store.ts';
import { launch } from '../support/fanfare-process.ts';
import { runCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { leaveUndecided } from '../support/undecided.ts';

const SLOT_MS = Date.parse('2026-11-20T18:00:00Z');

/** The commands of an installation that is not running. */
function installation() {
  const folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const environment = { FANFARE_DATA: folder.path, TZ: 'UTC' };
  return {
    file,
    environment,
    async fanfare(...args: string[]) {
      const command = await launch({ args, environment });
      return { code: await command.exit, output: command.output() };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('resolve lists the unknown deliveries with their texts and commands', async () => {
  using bot = installation();
  {
    await using store = await openStore({ file: bot.file });
    await leaveUndecided(store, { content: 'Ada is live:\n\u001B[31mcome and see', slotMs: SLOT_MS });
    await leaveUndecided(store, { content: 'Grace is live', slotMs: SLOT_MS + 1 });
  }

  const { code, output } = await bot.fanfare('resolve');

  expect(output).toMatch(/^2 deliveries may or may not have been sent\. Look on the platform, then resolve each one/);
  expect(output).toMatch(
    /news, step 1 → #live: discord\.send through discord, Fri, 20 Nov 2026, 18:00:00\n {2}text: {4}Ada is live: \[31mcome and see\n/,
  );
  expect(output).toContain('reason:  discord does not report whether it was sent; check there');
  expect(output.match(/it was sent: +fanfare resolve [\w-]{8} sent\n/g)).toHaveLength(2);
  expect(output.match(/send it again: +fanfare resolve [\w-]{8} again\n/g)).toHaveLength(2);
  expect(code).toBe(0);
});

test('the listed commands resolve only their delivery', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const ids = [
    await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS }),
    await leaveUndecided(store, { content: 'Grace', slotMs: SLOT_MS + 1 }),
  ];
  const listed = await bot.fanfare('resolve');
  // The newest is first.
  const [ofGrace = ''] = /(?<=fanfare )resolve [\w-]+ again/u.exec(listed.output) ?? [];

  const shown = await bot.fanfare(...ofGrace.split(' ').slice(0, 2));
  const { code, output } = await bot.fanfare(...ofGrace.split(' '));

  expect(shown.output).toContain('text:    Grace');
  expect(output).toMatch(/is sent again within 30 seconds, or at the next start of Fanfare\.\n$/);
  expect(code).toBe(0);
  const states = await Promise.all(ids.map(async (id) => (await store.deliveries.find(id))?.state));
  expect(states).toEqual(['unknown', 'pending']);
});

test('resolve rejects a known outcome, an invalid resolution and an unknown id', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const id = await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS });

  const first = await bot.fanfare('resolve', '--', id, 'sent');
  const second = await bot.fanfare('resolve', '--', id, 'again');
  const invalid = await bot.fanfare('resolve', '--', id, 'not-sent');
  const unknownId = await bot.fanfare('resolve', 'nobody12', 'again');

  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('is now marked as sent.') });
  expect(second).toMatchObject({ code: 1, output: expect.stringMatching(/^error: this delivery needs no decision: it is sent /) });
  expect(invalid).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^error: unknown resolution not-sent\n {2}Use sent .* or again/),
  });
  expect(unknownId).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^error: there is no delivery nobody12\n .*fanfare resolve\n$/),
  });
  expect(await store.deliveries.find(id)).toMatchObject({ state: 'sent', message: 'marked by an operator' });
});

test('before the first start, resolve lists nothing and creates no folder', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const command = await launch({ args: ['resolve'], environment: { FANFARE_DATA: data } });

  expect(await command.exit).toBe(0);
  expect(command.output()).toMatch(/^There are no unknown deliveries/m);
  expect(existsSync(data)).toBe(false);
});

test('of concurrent resolutions of one delivery, only the first applies', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const id = await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS });
  const { resolveDelivery } = openOfflineActions(bot.environment);
  const by = { name: 'ada', via: 'cli', role: 'admin' } as const;
  const resolve = (resolution: Resolution) => resolveDelivery({ delivery: id, resolution }, by);

  const applied = [await resolve('sent'), await resolve('again'), await resolve('sent')];

  expect(applied.map((delivery) => delivery?.state)).toEqual(['sent', undefined, undefined]);
  expect(await store.deliveries.find(id)).toMatchObject({ state: 'sent' });
});

test('an id is found by its beginning, even without a leading hyphen', async () => {
  await using store = await openStore();
  const ids: string[] = [];
  for (let count = 0; count < 300; count++) ids.push(await leaveUndecided(store, { content: `post ${count}`, slotMs: SLOT_MS + count }));
  const hyphened = ids.find((id) => id.startsWith('-')) ?? '';

  expect((await store.deliveryLog.named('')).length).toBe(5);
  expect((await store.deliveryLog.named(hyphened.slice(1, 9))).map(({ id }) => id)).toEqual([hyphened]);
  expect(await store.deliveryLog.named('no such')).toEqual([]);
});

test.for(['', 'Europe/Berln'])('if TZ is %j, the commands use UTC', async (TZ) => {
  using bot = installation();
  {
    await using store = await openStore({ file: bot.file });
    await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS });
  }
  const zone = { ...bot.environment, TZ };

  const listed = await runCommand({ args: ['resolve'], environment: zone });
  const paused = await runCommand({ args: ['pause', 'live-card', '--until', '2030-12-24 18:00'], environment: zone });

  expect(listed.output).toContain('(times in UTC)');
  expect(listed.output).toContain('Fri, 20 Nov 2026, 18:00:00');
  expect(paused.output).toMatch(/(?:until Tue, 24 Dec 2030, 18:00:00 \(UTC\)|is more than a year away \(2030-12-24 18:00\))/);
});
