import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SECRET = 'the diagnosis';
const WAIT_MS = 90_000;

/** Deletes a conversation in the order of the bot. */
async function forget({ transcripts, assistantDrafts, conversationPoints }: Store, conversation: string): Promise<void> {
  await transcripts.forget(conversation);
  await assistantDrafts.forget(conversation);
  await conversationPoints.forget(conversation, { shared: () => false });
}

async function talk({ transcripts, assistantDrafts, conversationPoints }: Store, conversation: string, text: string): Promise<void> {
  const now = new Date(systemClock.nowMs());
  // Long texts have pages of their own.
  for (const [index, length] of [1, 300, 2_000].entries())
    await transcripts.append(
      conversation,
      { id: `${index}`, role: 'user', text: `${text} `.repeat(length), createdAt: now },
      { by: 'ada' },
    );
  const content = { kind: 'post', text, accounts: ['sandbox'] } as const;
  await assistantDrafts.add({ id: conversation, content, by: 'ada', conversation, state: 'open', madeAt: now });
  await conversationPoints.keepLocation(`place of ${conversation}`, { conversation, messageId: '0' }, now.getTime());
}

test('the texts of a deleted conversation are in no file and in no backup', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const copy = join(folder.path, 'copy.sqlite');
  const withSecret = (): readonly string[] =>
    [file, `${file}-wal`, copy].filter((path) => existsSync(path) && readFileSync(path).includes(SECRET));
  await using store = await openStore({ file });
  await talk(store, 'kept', 'something else');
  await talk(store, 'conversation', SECRET);
  expect(withSecret()).toEqual([`${file}-wal`]);

  await forget(store, 'conversation');
  await copyDatabase({ from: file, to: copy });
  const whileOpen = withSecret();
  await store[Symbol.asyncDispose]();

  expect([whileOpen, withSecret()]).toEqual([[], []]);
});

test('a deletion does not wait for a process that reads', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const opening = vi.spyOn(DatabaseSync.prototype, 'exec');
  await using store = await openStore({ file });
  const [database] = opening.mock.contexts;
  opening.mockRestore();
  if (!(database instanceof DatabaseSync)) throw new Error('the store opened no database');
  await talk(store, 'conversation', SECRET);
  using reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('begin; select * from transcript');
  // A wait would take longer than a test may take.
  database.exec(`pragma busy_timeout = ${WAIT_MS}`);

  await forget(store, 'conversation');

  expect(database.prepare('pragma busy_timeout').get()).toEqual({ timeout: WAIT_MS });
});
