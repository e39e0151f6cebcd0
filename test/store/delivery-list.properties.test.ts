import { expect, test } from 'vitest';
import type { Kysely } from 'kysely';
import type { DeliveryFilter } from '#src/engine/delivery/delivery-log.ts';
import type { DeliveryState } from '#src/engine/delivery/delivery.ts';
import { listDeliveries } from '#src/store/delivery-list.ts';
import type { Store } from '#src/store/store.ts';
import type { Tables } from '#src/store/tables.ts';
import { find } from '../contract/delivery-steps.ts';
import { listedInPostgres, listedInSqlite } from '../support/filtered-deliveries.ts';
import { committing, creating, firing, keysOf, SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { fc, runs } from '../support/property.ts';

const RULES = ['live', 'live/chess', 'other'];
const ITEMS = [undefined, 'twitch/1', 'twitch/2'];
const ACCOUNTS = ['x', 'mastodon'];
const STATES = ['pending', 'sending', 'sent', 'failed', 'unknown', 'skipped'] as const satisfies readonly DeliveryState[];
/** Words, in the form of a text and in the form of a search. */
const WORDS = [
  ['Ada', 'ADA'],
  ['Grüße', 'grÜßE'],
  ['42', '42'],
  ['live_now', 'now live'],
  ['日本', '本'],
  ['d’accord', 'accord'],
  ['%', '%'],
  ['🎉Adam', 'adam'],
] as const;
const SEPARATORS = [' ', ', ', '\n', ' - ', '. '];

const row = fc.record({
  rule: fc.constantFrom(...RULES),
  item: fc.constantFrom(...ITEMS),
  account: fc.constantFrom(...ACCOUNTS),
  state: fc.constantFrom(...STATES),
  words: fc.uniqueArray(fc.nat(WORDS.length - 1), { maxLength: 4 }),
  separator: fc.constantFrom(...SEPARATORS),
  isEmbed: fc.boolean(),
  /** The clock may be set back. */
  afterMs: fc.oneof({ weight: 9, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.integer({ min: -8, max: -1 }) }),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const KEYS = ['rule', 'item', 'account', 'state', 'words', 'sinceMs', 'untilMs'] as const;

/** A filter by some values of one row, so that it finds at least this row, in most runs. */
const choice = fc.record({
  row: fc.nat(),
  keys: fc.subarray([...KEYS]),
  isMissed: fc.nat(9).map((one) => one === 0),
  spanMs: fc.nat(20),
  order: fc.constantFrom('newest' as const, 'oldest' as const, undefined),
  limit: fc.integer({ min: 1, max: 7 }),
  withinMs: fc.constantFrom(0, undefined),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

/** A filter of these rows. The words are numbers of `WORDS`. */
interface Query extends Pick<DeliveryFilter, 'rule' | 'item' | 'account' | 'state' | 'sinceMs' | 'untilMs' | 'order' | 'withinMs'> {
  readonly words?: readonly number[] | undefined;
  readonly limit: number;
}

function queryOf(rows: readonly Written[], { row: chosen, keys, isMissed, spanMs, ...page }: Choice): Query {
  const one = rows[chosen % rows.length];
  if (!one) throw new Error('there are no rows');
  const { rule, item, account, state, words, createdMs } = one;
  const all: Omit<Query, 'limit'> = {
    rule: isMissed ? 'none' : rule,
    item,
    account,
    state,
    words: state === 'pending' ? undefined : words.slice(0, 2),
    sinceMs: createdMs - spanMs,
    untilMs: createdMs + spanMs + 1,
  };
  return { ...Object.fromEntries(keys.map((key) => [key, all[key]])), ...page };
}

interface Written extends Row {
  readonly key: string;
  readonly createdMs: number;
}

/** Writes the rows as the engine does: decided, and then begun with their texts. */
async function write(store: Store, clock: ManualClock, rows: readonly Row[]): Promise<readonly Written[]> {
  const written: Written[] = [];
  for (const [index, one] of rows.entries()) {
    const { rule, item, account, state, words, separator, isEmbed, afterMs } = one;
    clock.set(Math.max(SLOT_MS, clock.nowMs() + afterMs));
    const decided = firing([creating([account])], {
      rule,
      occasion: String(index),
      ...(item !== undefined && { item: { key: item, name: 'Ada' } }),
    });
    await store.ruleStates.commit(committing([decided], { rule, slotMs: SLOT_MS + index }));
    const [key = ''] = keysOf(decided);
    written.push({ ...one, key, createdMs: clock.nowMs() });
    const text = words.map((word) => WORDS[word]?.[0]).join(separator);
    const params = isEmbed ? { channel: 'x', embed: { fields: [{ name: '.', value: text }] } } : { text };
    const since = new Date(clock.nowMs());
    const begun =
      state === 'pending' ? undefined : await store.deliveries.change(await find(store, key), { state: 'sending', params, since });
    if (begun && state !== 'sending') await store.deliveries.change(begun, { state });
  }
  return written;
}

/** The keys that match, by a comparison of all rows. */
function expected(
  rows: readonly Written[],
  { rule, item, account, state, words = [], sinceMs = -Infinity, untilMs = Infinity, order }: Query,
) {
  const found = rows.filter(
    (one) =>
      (rule ?? one.rule) === one.rule &&
      (item === undefined || one.item === item) &&
      (account ?? one.account) === one.account &&
      (state ?? one.state) === one.state &&
      // A text without letters and digits has no words, so it is in every text.
      words.every((word) => WORDS[word]?.[1] === '%' || (one.state !== 'pending' && one.words.includes(word))) &&
      one.createdMs >= sinceMs &&
      one.createdMs < untilMs,
  );
  const keys = found.map(({ key }) => key);
  return order === 'oldest' ? keys : keys.toReversed();
}

async function listed(db: Kysely<Tables>, { words, ...rest }: Query, examined: number): Promise<readonly string[]> {
  const filter: DeliveryFilter = { ...rest, text: words?.map((word) => WORDS[word]?.[1]).join(' ') };
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDeliveries(db, { ...filter, cursor }, examined);
    expect(page.items.length).toBeLessThanOrEqual(rest.limit);
    keys.push(...page.items.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return keys;
}

test.for([
  ['SQLite', listedInSqlite, 12],
  ['PostgreSQL', listedInPostgres, 3],
] as const)('the pages of a filtered list in %s have the rows that a comparison of all rows finds', async ([, open, quick]) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 10, maxLength: 40, size: 'max' }),
      fc.array(choice, { minLength: 20, maxLength: 30, size: 'max' }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, queries, examined) => {
        const clock = new ManualClock(SLOT_MS);
        await using opened = await open(clock);
        const written = await write(opened.store, clock, rows);

        for (const one of queries.map((chosen) => queryOf(written, chosen))) {
          expect(await listed(opened.db, one, examined)).toEqual(expected(written, one));
        }
      },
    ),
    { numRuns: runs(quick, quick * 3) },
  );
});
