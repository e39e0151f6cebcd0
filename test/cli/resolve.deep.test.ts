import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openResolver } from '#src/app/open-resolver.ts';
import { openStore } from '#src/store/store.ts';
import { launch } from '../support/fanfare-process.ts';
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

test('resolve lists what is undecided, what to look for, and the commands to type', async () => {
  using bot = installation();
  {
    await using store = await openStore({ file: bot.file });
    await leaveUndecided(store, { content: 'Ada is live:\n\u001B[31mcome and see', slotMs: SLOT_MS });
    await leaveUndecided(store, { content: 'Grace is live', slotMs: SLOT_MS + 1 });
  }

  const { code, output } = await bot.fanfare('resolve');

  expect(output).toMatch(/^2 deliveries may have been sent or not\. Look there, then say which/);
  expect(output).toMatch(
    /news, step 1: discord\.send through discord, Fri,? 20 Nov,? 18:00:00\n {2}it says: {2}Ada is live: \[31mcome and see\n/,
  );
  expect(output).toContain('why:      discord cannot say whether it was sent; look there');
  expect(output.match(/it is there: +fanfare resolve [\w-]{8} sent\n/g)).toHaveLength(2);
  expect(output.match(/send it again: +fanfare resolve [\w-]{8} again\n/g)).toHaveLength(2);
  expect(code).toBe(0);
});

test('what resolve lists can be typed, and changes that delivery alone', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const ids = [
    await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS }),
    await leaveUndecided(store, { content: 'Grace', slotMs: SLOT_MS + 1 }),
  ];
  const listed = await bot.fanfare('resolve');
  // The newest stands first.
  const [ofGrace = ''] = /(?<=fanfare )resolve [\w-]+ again/u.exec(listed.output) ?? [];

  const shown = await bot.fanfare(...ofGrace.split(' ').slice(0, 2));
  const { code, output } = await bot.fanfare(...ofGrace.split(' '));

  expect(shown.output).toContain('it says:  Grace');
  expect(output).toMatch(/is sent again: within half a minute where Fanfare runs, else once it is started\.\n$/);
  expect(code).toBe(0);
  const states = await Promise.all(ids.map(async (id) => (await store.deliveries.find(id))?.state));
  expect(states).toEqual(['unknown', 'pending']);
});

test('a word on what has an end is refused, and so is one that is none, or of a delivery that there is not', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const id = await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS });

  const first = await bot.fanfare('resolve', '--', id, 'sent');
  const second = await bot.fanfare('resolve', '--', id, 'again');
  const noWord = await bot.fanfare('resolve', '--', id, 'not-sent');
  const nobody = await bot.fanfare('resolve', 'nobody12', 'again');

  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('counts as sent.') });
  expect(second).toMatchObject({ code: 1, output: expect.stringMatching(/Nobody has to say anything about .*: it is sent\./) });
  expect(noWord).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^error "not-sent" says nothing .*sent \(it is there\), or again/),
  });
  expect(nobody).toMatchObject({ code: 1, output: expect.stringMatching(/^error There is no delivery "nobody12"\. .*fanfare resolve\n$/) });
  expect(await store.deliveries.find(id)).toMatchObject({ state: 'sent', message: 'so says the operator' });
});

test('where Fanfare never ran nothing is undecided, and nothing is made', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const command = await launch({ args: ['resolve'], environment: { FANFARE_DATA: data } });

  expect(await command.exit).toBe(0);
  expect(command.output()).toMatch(/^Nothing is undecided/);
  expect(existsSync(data)).toBe(false);
});

test('of words on what was seen at the same time one is heard, and the others are told so', async () => {
  using bot = installation();
  await using store = await openStore({ file: bot.file });
  const id = await leaveUndecided(store, { content: 'Ada', slotMs: SLOT_MS });
  const resolver = openResolver(bot.environment);
  const [seen] = (await resolver.undecided()).items;
  if (!seen) throw new Error('nothing is undecided');

  const heard = [await resolver.resolve(seen, 'sent'), await resolver.resolve(seen, 'again'), await resolver.resolve(seen, 'sent')];

  expect(heard).toEqual([true, false, false]);
  expect(await store.deliveries.find(id)).toMatchObject({ state: 'sent' });
});

test('a name that begins several ids tells them apart, and hyphens before an id do not count', async () => {
  await using store = await openStore();
  const ids: string[] = [];
  for (let count = 0; count < 300; count++) ids.push(await leaveUndecided(store, { content: `post ${count}`, slotMs: SLOT_MS + count }));
  const hyphened = ids.find((id) => id.startsWith('-')) ?? '';

  expect((await store.deliveryLog.named('')).length).toBe(5);
  expect((await store.deliveryLog.named(hyphened.slice(1, 9))).map(({ id }) => id)).toEqual([hyphened]);
  expect(await store.deliveryLog.named('no such')).toEqual([]);
});
