import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { isPostgres } from '#src/store/dialect.ts';
import { indexWords } from '#src/store/index-words.ts';
import { listDeliveries } from '#src/store/delivery-list.ts';
import type { Tables } from '#src/store/tables.ts';
import { find, settle } from '../contract/delivery-steps.ts';
import { listedInPostgres, listedInSqlite, type ListedStore } from '../support/filtered-deliveries.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { fc, runs } from '../support/property.ts';

const WORDS = ['ada', 'grace', 'live', 'chess', 'müde'];
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** The statements of one transaction of the index, with its begin and its commit. */
const STATEMENTS = 4;

const words = fc.subarray(WORDS);
const which = fc.nat();
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide' as const), words, isSent: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('render' as const), which, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('index' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), at: fc.integer({ min: 1, max: STATEMENTS }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('prune' as const), afterDays: fc.constantFrom(0, 0, 100) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('search' as const), words: fc.subarray(WORDS, { minLength: 1, maxLength: 2 }) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The expected results of a search, by key, in the order of the decisions. */
type Model = Map<string, { readonly firing: string; readonly words: readonly string[]; readonly isSent: boolean }>;

const paramsOf = (chosen: readonly string[]) => ({ text: chosen.join(', ') });

const ENDED = new Error('the process ended');

/** The database, whose statement with this number fails. */
function failing(db: Kysely<Tables>, at: number): Kysely<Tables> {
  let left = at;
  return db.withPlugin({
    transformQuery({ node }) {
      left -= 1;
      if (left === 0) throw ENDED;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

async function found(db: Kysely<Tables>, chosen: readonly string[]): Promise<readonly string[]> {
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDeliveries(db, { text: chosen.join(' '), cursor, limit: 3 }, 4);
    keys.push(...page.items.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return keys;
}

function expected(model: Model, chosen: readonly string[]): readonly string[] {
  const matching = [...model].filter(([, one]) => chosen.every((word) => one.words.includes(word)));
  return matching.map(([key]) => key).toReversed();
}

interface Context extends Pick<ListedStore, 'store' | 'db'> {
  readonly model: Model;
  readonly clock: ManualClock;
}

/** Resolves with the result of a search and the expected result. */
async function apply({ store, db, model, clock }: Context, one: Operation): Promise<readonly (readonly string[])[]> {
  const chosen = 'which' in one ? [...model][one.which % Math.max(1, model.size)] : undefined;
  switch (one.do) {
    case 'decide': {
      clock.set(clock.nowMs() + 1);
      const decided = firing([creating(['x'])], { occasion: String(clock.nowMs()), episode: `ada@${clock.nowMs()}`, atMs: clock.nowMs() });
      await store.ruleStates.commit(committing([decided], { slotMs: clock.nowMs() }));
      const [key = ''] = keysOf(decided);
      if (one.isSent) await settle(store, key, { state: 'sent' }, { params: paramsOf(one.words) });
      model.set(key, { firing: decided.id, words: one.isSent ? one.words : [], isSent: one.isSent });
      return [];
    }
    case 'render': {
      const [key, before] = chosen ?? [];
      if (key === undefined || !before) return [];
      const delivery = await find(store, key);
      const params = one.words.length === 0 ? undefined : paramsOf(one.words);
      await store.deliveries.change(delivery, { state: delivery.state, params });
      model.set(key, { ...before, words: one.words });
      return [];
    }
    case 'delete': {
      const [key, before] = chosen ?? [];
      if (key === undefined || !before) return [];
      await db.deleteFrom('firing').where('id', '=', before.firing).execute();
      model.delete(key);
      return [];
    }
    case 'index':
      await indexWords(db, one.limit);
      return [];
    case 'fail':
      await indexWords(failing(db, one.at)).catch((error: unknown) => {
        if (error !== ENDED) throw error;
      });
      return [];
    case 'prune':
      clock.set(clock.nowMs() + MINUTE_MS + one.afterDays * DAY_MS);
      await store.ruleStates.commit(committing([], { slotMs: clock.nowMs() }));
      if (one.afterDays > 0) for (const [key, { isSent }] of model) if (isSent) model.delete(key);
      return [];
    case 'search':
      return [await found(db, one.words), expected(model, one.words)];
  }
}

test.for([
  ['SQLite', listedInSqlite, 12],
  ['PostgreSQL', listedInPostgres, 3],
] as const)('a search in %s finds the current words, even if some are not indexed yet', async ([, open, quick]) => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60, size: 'max' }), async (operations) => {
      const clock = new ManualClock(SLOT_MS);
      await using opened = await open(clock);
      const model: Model = new Map();
      for (const one of operations) {
        const [searched, matching] = await apply({ ...opened, model, clock }, one);
        expect(searched).toEqual(matching);
      }

      for (const word of WORDS) expect(await found(opened.db, [word])).toEqual(expected(model, [word]));
      while ((await indexWords(opened.db, 2)) > 0);
      for (const word of WORDS) {
        expect(await found(opened.db, [word])).toEqual(expected(model, [word]));
        if (isPostgres(opened.db)) continue;
        const { rows } = await sql<{
          readonly count: number;
        }>`select count(*) as count from delivery_words where delivery_words match ${`"${word}"`}`.execute(opened.db);
        expect(rows).toEqual([{ count: expected(model, [word]).length }]);
      }
    }),
    { numRuns: runs(quick, quick * 4) },
  );
});
