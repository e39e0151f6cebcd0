import { expect, test } from 'vitest';
import type { AssistantMessage } from '#src/clients/assistant/records.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BEGIN_MS = Date.parse('2026-11-20T18:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Conversations with turns at given instants. */
async function openTranscripts(file?: string) {
  const store = await openStore({ file });
  const { transcripts } = store;
  let count = 0;
  return {
    transcripts,
    begin: (conversation: string, atMs: number) => transcripts.begin(conversation, new Date(atMs)),
    ask: (conversation: string, atMs: number) =>
      transcripts.append(conversation, { id: String(++count), role: 'user', text: `${count}`, createdAt: new Date(atMs) }),
    async kept(conversation: string): Promise<boolean> {
      const [begun, messages] = await Promise.all([transcripts.begunAt(conversation), transcripts.read(conversation)]);
      return begun !== undefined || messages.length > 0;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test('a conversation is kept for 90 days after its last use, even without messages', async () => {
  await using opened = await openTranscripts();
  await opened.begin('begun', BEGIN_MS);
  await opened.ask('old', BEGIN_MS);
  await opened.ask('used', BEGIN_MS);
  await opened.begin('used', BEGIN_MS);
  await opened.ask('used', BEGIN_MS + 2 * HOUR_MS);

  await opened.ask('other', BEGIN_MS + 90 * DAY_MS);
  const before = await Promise.all(['begun', 'old', 'used'].map((id) => opened.kept(id)));
  await opened.ask('other', BEGIN_MS + 90 * DAY_MS + HOUR_MS);
  const after = await Promise.all(['begun', 'old', 'used'].map((id) => opened.kept(id)));

  expect(before).toEqual([true, true, true]);
  expect(after).toEqual([false, false, true]);
  expect(await opened.transcripts.read('used')).toHaveLength(2);
});

test('of more than a thousand conversations, the least recently used are deleted', async () => {
  await using opened = await openTranscripts();
  for (let number = 0; number < 1003; number++) await opened.ask(`talk ${number}`, BEGIN_MS + number);
  await opened.ask('talk 0', BEGIN_MS + 2000);
  await opened.begin('empty', BEGIN_MS + 2001);

  await opened.ask('talk 1002', BEGIN_MS + HOUR_MS);

  const [kept, gone] = [
    ['talk 0', 'talk 5', 'talk 6', 'talk 1002', 'empty'],
    ['talk 1', 'talk 2', 'talk 3', 'talk 4'],
  ];
  expect(await Promise.all(kept.map((id) => opened.kept(id)))).toEqual(kept.map(() => true));
  expect(await Promise.all(gone.map((id) => opened.kept(id)))).toEqual(gone.map(() => false));
});

test('the last thousand messages of a conversation are kept', async () => {
  await using opened = await openTranscripts();
  await opened.ask('short', BEGIN_MS);

  for (let messageOf = 0; messageOf < 1100; messageOf++) await opened.ask('long', BEGIN_MS + messageOf);

  const long = await opened.transcripts.read('long');
  expect([long.length, long.at(0)?.text, long.at(-1)?.text]).toEqual([1000, '102', '1101']);
  expect(await opened.transcripts.read('short')).toHaveLength(1);
});

test('the limit applies to a restored conversation at its first message', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/fanfare.sqlite`;
  {
    await using opened = await openTranscripts(file);
    await opened.ask('old', BEGIN_MS);
  }

  await using opened = await openTranscripts(file);
  await opened.ask('new', BEGIN_MS + 91 * DAY_MS);

  expect([await opened.kept('old'), await opened.kept('new')]).toEqual([false, true]);
});

test('a branch survives a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/fanfare.sqlite`;
  const at = (id: string): AssistantMessage => ({ id, role: 'user', text: id, createdAt: new Date(BEGIN_MS) });
  {
    await using store = await openStore({ file });
    for (const id of ['1', '2', '3']) await store.transcripts.append('here', at(id));
    await store.transcripts.append('here', at('4'), { after: '1' });
  }

  await using store = await openStore({ file });
  await store.transcripts.append('here', at('5'), { after: '4' });

  expect((await store.transcripts.read('here', { upTo: '5' })).map(({ id }) => id)).toEqual(['1', '4', '5']);
});
