import { fc, runs } from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { DiscordApi } from '#adapters/discord/client.ts';
import { postsOf } from '#adapters/discord/operations/read.ts';

const FORUM = '7';
const GUILD = '1';
const EPOCH_MS = 1_420_070_400_000;
const STEP_MS = 60_000;

/** A post that was begun at its place, and archived so many places later, if it was. */
interface Begun {
  readonly archivedAfter: number | undefined;
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly parent_id: string;
  readonly archivedAtMs: number | undefined;
}

/** Discord's two lists of the threads of a forum, and how often each was asked for. */
function forum(posts: readonly Begun[]): {
  readonly api: DiscordApi;
  readonly newestFirst: readonly string[];
  readonly asked: () => number;
} {
  let asked = 0;
  const threads = posts.map(({ archivedAfter }, index): Listed => {
    const atMs = EPOCH_MS + (index + 1) * STEP_MS;
    const id = String(BigInt(atMs - EPOCH_MS) << 22n);
    // No two at once: Discord counts microseconds.
    const archivedAtMs = archivedAfter === undefined ? undefined : atMs + archivedAfter * STEP_MS + (index % (STEP_MS - 1));
    return { id, name: `post ${index}`, parent_id: FORUM, archivedAtMs };
  });
  const elsewhere = { id: '99', name: 'elsewhere', parent_id: '8', archivedAtMs: undefined };
  const archive = threads
    .filter(({ archivedAtMs }) => archivedAtMs !== undefined)
    .toSorted((a, b) => (b.archivedAtMs ?? 0) - (a.archivedAtMs ?? 0));

  const api: DiscordApi = ({ path, query = {}, answer }) => {
    asked += 1;
    if (path === `/guilds/${GUILD}/threads/active`) {
      return Promise.resolve(answer.parse({ threads: [elsewhere, ...threads.filter(({ archivedAtMs }) => archivedAtMs === undefined)] }));
    }
    if (path !== `/channels/${FORUM}/threads/archived/public`) throw new Error(`there is no ${path}`);
    const { limit, before } = query;
    const rest = archive.filter(({ archivedAtMs = 0 }) => before === undefined || archivedAtMs < Date.parse(before));
    const page = rest.slice(0, Number(limit)).map(({ archivedAtMs = 0, ...thread }) => ({
      ...thread,
      thread_metadata: { archive_timestamp: new Date(archivedAtMs).toISOString() },
    }));
    return Promise.resolve(answer.parse({ threads: page, has_more: rest.length > page.length }));
  };
  return { api, newestFirst: threads.map(({ id }) => id).toReversed(), asked: () => asked };
}

/** All pages, each asked for by the cursor that the one before gave. */
async function walk(api: DiscordApi): Promise<{ readonly ids: readonly string[]; readonly exact: boolean; readonly pages: number }> {
  const ids: string[] = [];
  let exact = true;
  let pages = 0;
  for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
    const page = await postsOf({ api, guildId: GUILD }, FORUM, { cursor });
    ids.push(...page.items.map(({ id }) => id));
    exact &&= page.approximate !== true;
    expect(page.items.length).toBeLessThanOrEqual(25);
    cursor = page.cursor;
  }
  return { ids, exact, pages };
}

const archivedAfter = fc.oneof(
  fc.constant(undefined),
  fc.nat(3),
  fc.nat(200),
  // Long after all others were begun.
  fc.integer({ min: 10_000, max: 12_000 }),
);

test('a walk has each post once, in the order of creation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ archivedAfter }), { maxLength: 400 }), async (posts) => {
      const { api, newestFirst } = forum(posts);

      const { ids, exact } = await walk(api);

      expect(exact).toBe(true);
      expect(ids).toEqual(newestFirst);
    }),
    { numRuns: runs(15, 500) },
  );
});

test('if the archive exceeds the limit of a page, each post appears once, and the order is marked as approximate', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1001, max: 1400 }), fc.nat(60), async (archived, active) => {
      const posts = Array.from({ length: archived + active }, (_, index) => ({
        // The oldest came into the archive last.
        archivedAfter: index < archived ? 3000 - index : undefined,
      }));
      const { api, newestFirst } = forum(posts);

      const { ids, exact } = await walk(api);

      expect(ids.toSorted()).toEqual(newestFirst.toSorted());
      expect(exact).toBe(false);
    }),
    { numRuns: runs(2, 50) },
  );
});

test('a page makes at most ten archive requests', async () => {
  const posts = Array.from({ length: 2500 }, (_, index) => ({ archivedAfter: 3000 - index }));
  const { api, asked } = forum(posts);

  await postsOf({ api, guildId: GUILD }, FORUM, {});

  expect(asked()).toBe(11);
});
