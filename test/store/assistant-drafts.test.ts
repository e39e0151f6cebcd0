import { expect, test } from 'vitest';
import type { Draft, StoredDrafts } from '#src/clients/assistant/drafts.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

function drafted(id: string, clock: ManualClock, by: string | undefined = 'ada'): Draft {
  const content = { kind: 'post', text: `text ${id}`, accounts: ['sandbox'] } as const;
  return { id, content, by, conversation: 'here', state: 'open', madeAt: new Date(clock.nowMs()) };
}

async function kept(drafts: StoredDrafts, ids: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(ids.map((id) => drafts.find(id)));
  return found.flatMap((draft) => draft?.id ?? []);
}

test('a draft survives a restart and is decided once', async () => {
  using folder = temporaryFolder();
  const options = { file: `${folder.path}/fanfare.sqlite`, clock: new ManualClock() };
  {
    await using store = await openStore(options);
    await store.assistantDrafts.add(drafted('1', options.clock));
    await store.assistantDrafts.add({ ...drafted('1', options.clock), by: 'somebody else' });
  }

  await using store = await openStore(options);
  const { assistantDrafts: drafts } = store;
  const found = await drafts.find('1');
  const decided = await Promise.all([
    drafts.decide('1', { state: 'approved', by: 'grace' }),
    drafts.decide('1', { state: 'dropped', by: 'linus' }),
  ]);

  expect(found).toEqual(drafted('1', options.clock));
  expect(decided).toEqual([true, false]);
  expect(await drafts.find('1')).toEqual({ ...found, state: 'approved', decidedBy: 'grace' });
});

test('a draft is deleted after a week, decided or not', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const { assistantDrafts: drafts } = store;
  for (const id of ['1', '2']) await drafts.add(drafted(id, clock));
  await drafts.decide('2', { state: 'approved', by: 'grace' });

  await clock.advance(7 * DAY_MS);
  const before = await kept(drafts, ['1', '2']);
  await clock.advance(1);

  expect(before).toEqual(['1', '2']);
  expect(await kept(drafts, ['1', '2'])).toEqual([]);
});

test('the last twenty drafts of each person are kept, regardless of the drafts of others', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  const { assistantDrafts: drafts } = store;
  await drafts.add(drafted('grace', clock, 'grace'));
  await drafts.add({ ...drafted('anonymous', clock), by: undefined });
  for (let number = 1; number <= 25; number++) {
    await clock.advance(1);
    await drafts.add(drafted(String(number), clock));
  }

  const ids = Array.from({ length: 25 }, (_, index) => String(index + 1));
  expect(await kept(drafts, ids)).toEqual(ids.slice(5));
  expect(await kept(drafts, ['grace', 'anonymous'])).toEqual(['grace', 'anonymous']);
});
