import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { loadLateModules } from '#src/errors.ts';
import { openStore } from '#src/store/store.ts';
import { committing, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const TABLES = ['web_session', 'sign_in_attempt', 'command_use', 'post_draft', 'draft', 'recorded_poll', 'saved_view'] as const;

test('rows that their next use would delete are deleted without it, because they name members and addresses', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const clock = new ManualClock(SLOT_MS);
  await using store = await openStore({ file, clock });
  await loadLateModules();
  const { sessions, attempts, people } = await store.openAccess();
  const content = { kind: 'post', text: 'hello', accounts: ['x'] } as const;
  await people.put({ id: 'discord:1', name: 'ada', kind: 'discord', role: 'viewer' });
  await sessions.begin({ hash: 'h', person: 'discord:1', address: '192.0.2.1', expiresAt: new Date(SLOT_MS + DAY_MS) });
  await attempts.take('192.0.2.9', { burst: 1, intervalMs: 60_000 });
  await store.commandUses.keep({ id: 'u', application: 'a', token: 'secret', locale: 'en' });
  await store.postDrafts.keep({ id: 'p', owner: '1', body: {} });
  await store.assistantDrafts.add({ id: 'd', content, by: '1', conversation: 'c', state: 'open', madeAt: new Date(SLOT_MS) });
  await store.savedViews.keep({ command: 'streams', options: '{}' });
  const answer = { items: [{ id: '1' }], approximate: false, partialErrors: [], more: false };
  await store.recordedPolls.record('q', { slotMs: SLOT_MS, params: {}, answer });
  await store.recordedPolls.flush();
  const pruneAt = async (atMs: number) => {
    clock.set(atMs);
    await store.ruleStates.commit(committing([], { slotMs: atMs }));
  };
  const counts = () => {
    using database = new DatabaseSync(file, { readOnly: true });
    return TABLES.map((table) => database.prepare(`select count(*) as n from ${table}`).get()?.['n']);
  };

  await pruneAt(SLOT_MS + 30_000);
  expect(counts()).toEqual([1, 1, 1, 1, 1, 1, 1]);
  await pruneAt(SLOT_MS + 2 * DAY_MS);
  expect(counts()).toEqual([0, 0, 0, 0, 1, 1, 1]);
  await pruneAt(SLOT_MS + 9 * DAY_MS);
  expect(counts()).toEqual([0, 0, 0, 0, 0, 0, 1]);
  await pruneAt(SLOT_MS + 31 * DAY_MS);
  expect(counts()).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
