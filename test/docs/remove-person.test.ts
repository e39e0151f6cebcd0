import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Actor } from '#src/admin/actions/actor.ts';
import { openStore } from '#src/store/store.ts';
import { fillState } from '../support/full-state.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The example of the page, and the name of this person. */
const [ID, NAME] = ['1202584131993600042', 'grace-hopper'];

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/backup.md'), 'utf8');

test('the statements of the page remove a person from all tables', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  await using store = await openStore({ file });
  await fillState(store);
  const by: Actor = { name: NAME, via: 'discord', id: ID, role: 'editor' };
  await store.auditLog.start({ id: 'a9', action: 'pause', by, target: 'live' });
  await store.auditLog.end({ id: 'a9', outcome: 'done', before: {}, after: {} });
  await store.lists.edit({ list: 'team' }, by, () => ({ after: { linus: {} } }));
  const said = { id: '1', role: 'user', text: `I am ${NAME}`, createdAt: new Date() } as const;
  await store.transcripts.append('thread of ada', said, { by: ID });
  await store.questionCounts.count(
    { id: 'q9', person: ID, server: '1', nowMs: Date.now() },
    { person: { most: 9, withinMs: 9_000 }, server: { most: 9, withinMs: 9_000 } },
  );
  await store[Symbol.asyncDispose]();
  const before = readFileSync(file);
  expect([before.includes(ID), before.includes(NAME)]).toEqual([true, true]);

  const [, statements = ''] = /```sql\n(.*?)```/su.exec(page) ?? [];
  using database = new DatabaseSync(file);
  database.exec(statements);
  database.close();

  const after = readFileSync(file);
  expect([after.includes(ID), after.includes(NAME)]).toEqual([false, false]);
});
