import { expect, test } from 'vitest';
import { toEpisodeAnswer } from '#src/admin/queries/episode-answer.ts';
import { CursorError } from '#src/errors.ts';
import type { Episode } from '#src/rules/episode.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { committing, episodeOf, SLOT_MS } from '../support/firings.ts';
import { openEmptyStore } from '../support/postgres-stores.ts';

const MEMORY = { firings: 1, firedMs: {} };

const pending: Episode = {
  ...episodeOf('pending@9'),
  phase: 'pending',
  openedMs: undefined,
  announcedBy: undefined,
  startedMs: SLOT_MS + 9,
};
const suppressedBy = { kind: 'alreadyInList' } as const;
const suppressed: Episode = { ...episodeOf('suppressed@5'), announcedBy: undefined, suppressedBy, startedMs: SLOT_MS + 5 };
const closing: Episode = { ...episodeOf('closing@5'), phase: 'closing', missingSinceMs: SLOT_MS + 7, startedMs: SLOT_MS + 5 };
const past: Episode = { ...episodeOf('past@5'), phase: 'closed', closedMs: SLOT_MS + 6, startedMs: SLOT_MS + 5 };
const older: Episode = { ...past, id: 'past@1', startedMs: SLOT_MS + 1 };

async function fill(store: Pick<Store, 'ruleStates'>): Promise<void> {
  const put = [pending, suppressed, closing];
  await store.ruleStates.commit(
    committing([], { rule: 'live', slotMs: SLOT_MS, change: { memory: MEMORY, put, drop: [], past: [past, older] } }),
  );
  const other = { memory: MEMORY, put: [episodeOf('other@1')], drop: [] };
  await store.ruleStates.commit(committing([], { rule: 'live/x', slotMs: SLOT_MS, change: other }));
}

async function pagesOf({ episodes }: Pick<Store, 'episodes'>, limit: number): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await episodes.page({ rule: 'live', cursor, limit });
    pages.push(page.items.map(({ id }) => id));
    ({ cursor } = page);
    if (cursor === undefined) return pages;
  }
}

test.for([
  ['SQLite', () => openStore()],
  ['PostgreSQL', () => openEmptyStore()],
] as const)('the pages of the episodes of a rule have each episode once, newest first, in %s', async ([, open]) => {
  await using store = await open();
  await fill(store);
  const all = ['pending@9', 'suppressed@5', 'past@5', 'closing@5', 'past@1'];

  expect(await pagesOf(store, 10)).toEqual([all]);
  expect(await pagesOf(store, 1)).toEqual(all.map((id) => [id]));
  expect(await pagesOf(store, 2)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
});

test.for(['x', 'WzFd', '5'])('a cursor of another list is refused: %s', async (cursor) => {
  await using store = await openStore();

  await expect(store.episodes.page({ rule: 'live', cursor })).rejects.toThrow(CursorError);
});

test('an episode has the begin of each of its phases, and the reason of its suppression', async () => {
  await using store = await openStore();
  await fill(store);
  const { items } = await store.episodes.page({ rule: 'live' });
  const shown = new Map(items.map((one) => [one.id, toEpisodeAnswer(one)]));

  expect(shown.get('pending@9')).toMatchObject({ phase: 'pending', openedAt: undefined, announced: false, suppression: undefined });
  expect(shown.get('suppressed@5')).toMatchObject({
    announced: false,
    suppression: { message: 'it was already in the list', reason: suppressedBy },
  });
  expect(shown.get('closing@5')).toMatchObject({
    phase: 'closing',
    announced: true,
    missingSince: new Date(SLOT_MS + 7),
    closedAt: undefined,
  });
  expect(shown.get('past@5')).toMatchObject({ phase: 'closed', closedAt: new Date(SLOT_MS + 6) });
});

test('an episode of an earlier version has only the text of its suppression', () => {
  const { suppression } = toEpisodeAnswer({ ...suppressed, suppressedBy: 'cooldown', announced: false });

  expect(suppression).toEqual({ message: 'cooldown', reason: undefined });
});

test('the suppression of an ended episode names no action', () => {
  const paused = { ...suppressed, suppressedBy: { kind: 'paused', by: 'Grace', agoMs: 60_000 }, announced: false } as const;

  expect(toEpisodeAnswer(paused).suppression?.message).toBe('Grace paused the rule 1m ago; resume it to announce again');
  expect(toEpisodeAnswer({ ...paused, phase: 'closed', closedMs: SLOT_MS }).suppression?.message).toBe('Grace had paused the rule');
});
