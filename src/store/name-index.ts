import { setImmediate as nextLoop } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Episode } from '#src/rules/episode.ts';
import { indexedName, namesOfItem } from '#src/rules/evaluate/items/item-names.ts';
import { chunks, fromOptionalText, fromText } from './columns.ts';
import { isPostgres } from './dialect.ts';
import type { Tables } from './tables.ts';

/** The episodes, or the decisions, in one transaction, which takes some milliseconds. */
export const NAMED_AT_ONCE = 200;
/** Transactions of PostgreSQL that commit in parallel give so many decisions a place before that of an older one. */
const DISORDERED = 1_000;
/** A name is written again at most once in this time. */
const FRESH_MS = 7 * 86_400_000;
/** The age of a name that is checked: some open episodes and decisions are older. */
const OLD_MS = 60 * 86_400_000;

interface NamedRule {
  readonly name: string;
  readonly rule: string;
}

/** Adds the names of new episodes and decisions to the index of names. Resolves with the number of rows: fewer than `limit` are the last ones. */
export async function indexNames(db: Kysely<Tables>, nowMs: number, limit = NAMED_AT_ONCE): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const episodes = await indexEpisodes(trx, { nowMs, limit });
    return Math.max(episodes, await indexDecisions(trx, { nowMs, limit }));
  });
}

interface Round {
  readonly nowMs: number;
  readonly limit: number;
}

/** A trigger notes the begin and the end of an episode. An episode that is gone by now was not announced, or is over for long. */
async function indexEpisodes(trx: Transaction<Tables>, { nowMs, limit }: Round): Promise<number> {
  const noted = await trx.selectFrom('unindexed_episode').selectAll().orderBy('seq').limit(limit).execute();
  if (noted.length === 0) return 0;
  const names: NamedRule[] = [];
  for (const table of ['episode', 'past_episode'] as const) {
    const { rows } = await sql<{ readonly rule: string; readonly body: string }>`
      select its.rule, its.body from unindexed_episode as noted join ${sql.table(table)} as its on its.rule = noted.rule and its.id = noted.id
      where noted.seq <= ${noted.at(-1)?.seq}`.execute(trx);
    for (const { rule, body } of rows) {
      const { key, item } = fromText<Episode>(body);
      names.push(...namesOfItem(item, key).map((name) => ({ name, rule })));
    }
  }
  await storeNames(trx, names, nowMs);
  for (const some of chunks(noted))
    await trx
      .deleteFrom('unindexed_episode')
      .where(
        'seq',
        'in',
        some.map(({ seq }) => seq),
      )
      .execute();
  return noted.length;
}

async function indexDecisions(trx: Transaction<Tables>, { nowMs, limit }: Round): Promise<number> {
  const { seq: doneSeq = 0 } = (await trx.selectFrom('indexed_decision').select('seq').executeTakeFirst()) ?? {};
  const again = isPostgres(trx) ? DISORDERED : 0;
  const rows = await trx
    .selectFrom('decision')
    .select(['seq', 'rule', 'item', 'reason'])
    .where('seq', '>', doneSeq - again)
    .orderBy('seq')
    .limit(limit + again)
    .execute();
  const lastSeq = rows.at(-1)?.seq ?? doneSeq;
  if (lastSeq <= doneSeq) return 0;
  const names = rows.flatMap(({ rule, item, reason }) => namesOfDecision(item, reason).map((name) => ({ name, rule })));
  await storeNames(trx, names, nowMs);
  await trx.deleteFrom('indexed_decision').execute();
  await trx.insertInto('indexed_decision').values({ seq: lastSeq }).execute();
  return rows.filter(({ seq }) => seq > doneSeq).length;
}

function namesOfDecision(item: string | null, reason: string | null): readonly string[] {
  const { name } = fromOptionalText<{ readonly name?: unknown }>(reason) ?? {};
  return [...(item === null ? [] : [item]), ...(typeof name === 'string' ? [name] : [])];
}

async function storeNames(trx: Transaction<Tables>, names: readonly NamedRule[], nowMs: number): Promise<void> {
  const indexed = names.map(({ name, rule }) => [indexedName(name), rule] as const).filter(([name]) => name !== '');
  const distinct = new Map(indexed.map(([name, rule]) => [`${rule}\n${name}`, { name, rule, seen_ms: nowMs }]));
  // In one order, so that no two processes wait for each other's rows.
  const rows = [...distinct.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const some of chunks(rows))
    await trx
      .insertInto('item_name')
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(['name', 'rule'])
          .doUpdateSet({ seen_ms: nowMs })
          .where('item_name.seen_ms', '<', nowMs - FRESH_MS),
      )
      .execute();
}

/** The rules with a stored episode or decision of this name, and perhaps rules from which it was deleted. */
export async function rulesNamed(db: Kysely<Tables>, name: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('item_name').select('rule').where('name', '=', indexedName(name)).execute();
  return rows.map(({ rule }) => rule);
}

/** The first decision that may not be in the index. PostgreSQL plans a search from it only with a number. */
export async function firstUnindexed(db: Kysely<Tables>): Promise<number> {
  const { seq = 0 } = (await db.selectFrom('indexed_decision').select('seq').executeTakeFirst()) ?? {};
  return seq + 1 - (isPostgres(db) ? DISORDERED : 0);
}

/** Deletes names that no stored row has. Resolves with the number of checked names. */
export async function dropOldNames(db: Kysely<Tables>, { nowMs, limit }: Round): Promise<number> {
  const beforeMs = nowMs - OLD_MS;
  const old = await db
    .selectFrom('item_name')
    .select(['name', 'rule'])
    .where('seen_ms', '<', beforeMs)
    .orderBy('seen_ms')
    .limit(limit)
    .execute();
  for (const [rule, its] of Map.groupBy(old, (one) => one.rule)) {
    const stored = await storedNames(db, rule, beforeMs);
    const [kept, gone] = [true, false].map((is) => its.map(({ name }) => name).filter((name) => stored.has(name) === is));
    for (const names of chunks(kept ?? []))
      await db.updateTable('item_name').set({ seen_ms: nowMs }).where('rule', '=', rule).where('name', 'in', names).execute();
    for (const names of chunks(gone ?? [])) await db.deleteFrom('item_name').where('rule', '=', rule).where('name', 'in', names).execute();
    // The rows of a rule take some milliseconds.
    await nextLoop();
  }
  return old.length;
}

/** The names in the decisions of a rule, and in its episodes that began before this instant. A later episode would have renewed its names. */
async function storedNames(db: Kysely<Tables>, rule: string, beforeMs: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const table of ['episode', 'past_episode'] as const) {
    const rows = await db.selectFrom(table).select('body').where('rule', '=', rule).where('started_ms', '<', beforeMs).execute();
    for (const { key, item } of rows.map(({ body }) => fromText<Episode>(body)))
      for (const name of namesOfItem(item, key)) names.add(indexedName(name));
  }
  const decisions = await db.selectFrom('decision').select(['item', 'reason']).where('rule', '=', rule).execute();
  for (const { item, reason } of decisions) for (const name of namesOfDecision(item, reason)) names.add(indexedName(name));
  return names;
}

/** Moves the names of a rule to its new id. */
export async function renameIndexed(trx: Transaction<Tables>, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  await trx.updateTable('unindexed_episode').set({ rule: to }).where('rule', '=', from).execute();
  await sql`insert into item_name (name, rule, seen_ms) select name, cast(${to} as text), seen_ms from item_name where rule = ${from}
    on conflict do nothing`.execute(trx);
  await trx.deleteFrom('item_name').where('rule', '=', from).execute();
}
