import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { openStore } from '#src/store/store.ts';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { leaveUndecided } from '../support/undecided.ts';

const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });
const RULE = `id: news
when: { at: '2999-01-01T00:00:00Z' }
then: [{ do: discord.send, with: { channel: live, content: news } }]
`;
const SLOT_MS = Date.parse('2026-11-20T18:00:00Z');

async function contents({ url }: Sandbox): Promise<readonly string[]> {
  return Messages.parse(await getJson(`${url}/control/messages`)).items.map(({ content }) => content);
}

test('the running process, or the next one, carries out a resolution once', async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  await mkdir(join(directory.path, 'rules'));
  await writeFile(join(directory.path, 'rules', 'news.yaml'), RULE);
  // A message that is sent twice is listed twice.
  sandbox.faults.add({ platform: 'discord', method: 'POST', route: '/messages', kind: 'ignoreKey' });
  const data = join(directory.path, 'data');
  const environment = { ...sandbox.environment, FANFARE_DATA: data, FANFARE_RULES: join(directory.path, 'rules') };
  await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
  const fanfare = async (...args: string[]): Promise<number | undefined> => (await launch({ args, environment })).exit;
  const stateOf = async (id: string): Promise<string | undefined> => (await store.deliveries.find(id))?.state;
  const [there, lost] = [
    await leaveUndecided(store, { content: 'there', slotMs: SLOT_MS }),
    await leaveUndecided(store, { content: 'lost', slotMs: SLOT_MS + 1 }),
  ];

  expect(await fanfare('resolve', '--', there, 'sent')).toBe(0);
  expect(await fanfare('resolve', '--', lost, 'again')).toBe(0);
  expect(await contents(sandbox)).toEqual([]);

  await using _bot = await launch({ environment });
  await eventually('the one that was lost', async () => (await stateOf(lost)) === 'sent');
  const later = await leaveUndecided(store, { content: 'later', slotMs: SLOT_MS + 2 });
  const codes = await Promise.all(Array.from({ length: 4 }, () => fanfare('resolve', '--', later, 'again')));
  await eventually('the one that was lost while it ran', async () => (await stateOf(later)) === 'sent');

  expect([0, 1].map((wanted) => codes.filter((code) => code === wanted).length)).toEqual([1, 3]);
  expect((await contents(sandbox)).toSorted()).toEqual(['later', 'lost']);
});
