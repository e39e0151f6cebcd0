import { sql, type Transaction } from 'kysely';
import type { Episode, RuleMemory } from '#src/rules/episode.ts';
import { chunks, fromOptionalText, fromText } from './columns.ts';
import { lockTable } from './dialect.ts';
import { renameIndexed } from './name-index.ts';
import type { Tables } from './tables.ts';

/** The two ids of a renamed rule. */
interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Moves the state and the history of a rule to its new id; false: nothing is stored under the old one. */
export async function renameRule(trx: Transaction<Tables>, renaming: Renaming): Promise<boolean> {
  const { from, to } = renaming;
  // Of two processes that load the renamed rule, the second one finds nothing to move.
  await lockTable(trx, 'rule_state');
  // A person may have paused the rule before its first slot.
  const [wasPaused, wasPlanned] = [await movePause(trx, renaming), await movePlanned(trx, renaming)];
  const old = await trx.selectFrom('rule_state').select('rule').where('rule', '=', from).executeTakeFirst();
  if (!old) return wasPaused || wasPlanned;
  const now = await memoryOf(trx, to);
  // A rule that announced something under its new id keeps its memory.
  await (now.firings > 0 ? mergeStates(trx, renaming) : replaceState(trx, renaming, now));
  await moveQueues(trx, renaming);
  // The firings are found by their deliveries, because no index has their rule.
  const firings = trx.selectFrom('delivery').select('firing').where('rule', '=', from);
  await trx.updateTable('firing').set({ rule: to }).where('id', 'in', firings).execute();
  for (const table of ['delivery', 'decision'] as const) await trx.updateTable(table).set({ rule: to }).where('rule', '=', from).execute();
  await moveCounts(trx, renaming);
  await movePastEpisodes(trx, renaming);
  await renameIndexed(trx, renaming);
  await moveReceived(trx, renaming);
  return true;
}

async function memoryOf(trx: Transaction<Tables>, rule: string): Promise<RuleMemory> {
  const row = await trx.selectFrom('rule_state').select('memory').where('rule', '=', rule).executeTakeFirst();
  return fromOptionalText<RuleMemory>(row?.memory ?? null) ?? { firings: 0, firedMs: {} };
}

/** Moves the state. The values of a rule that announced nothing are from a person, so they stay. */
async function replaceState(trx: Transaction<Tables>, { from, to }: Renaming, { kept }: RuleMemory): Promise<void> {
  for (const table of ['rule_state', 'episode'] as const) {
    await trx.deleteFrom(table).where('rule', '=', to).execute();
    await trx.updateTable(table).set({ rule: to }).where('rule', '=', from).execute();
  }
  if (kept === undefined) return;
  const memory = await memoryOf(trx, to);
  await trx
    .updateTable('rule_state')
    .set({ memory: JSON.stringify({ ...memory, kept: { ...memory.kept, ...kept } }) })
    .where('rule', '=', to)
    .execute();
}

/** Keeps the memory and the announced episodes of the new id, and adds the other episodes of the old id. */
async function mergeStates(trx: Transaction<Tables>, { from, to }: Renaming): Promise<void> {
  const [old, now] = [await episodesOf(trx, from), await episodesOf(trx, to)];
  const announced = new Set(now.filter(isAnnounced).map(({ key }) => key));
  const added = old.filter((one) => isAnnounced(one) && !announced.has(one.key));
  const keys = new Set(added.map(({ key }) => key));
  const replaced = now.filter(({ key }) => keys.has(key));
  for (const some of chunks(replaced)) await trx.deleteFrom('episode').where('rule', '=', to).where('id', 'in', some.map(idOf)).execute();
  for (const some of chunks(added))
    await trx.updateTable('episode').set({ rule: to }).where('rule', '=', from).where('id', 'in', some.map(idOf)).execute();
  for (const table of ['rule_state', 'episode'] as const) await trx.deleteFrom(table).where('rule', '=', from).execute();
}

async function episodesOf(trx: Transaction<Tables>, rule: string): Promise<readonly Episode[]> {
  const rows = await trx.selectFrom('episode').select('body').where('rule', '=', rule).execute();
  return rows.map(({ body }) => fromText<Episode>(body));
}

function isAnnounced({ announcedBy }: Episode): boolean {
  return announcedBy !== undefined;
}

function idOf({ id }: Episode): string {
  return id;
}

/** Renames the queues, which begin with the id: an edit must still wait for the message that it edits. */
async function moveQueues(trx: Transaction<Tables>, { from, to }: Renaming): Promise<void> {
  const queue = sql<string>`cast(${to} as text) || substr(queue, ${sql.lit(from.length + 1)})`;
  await trx.updateTable('delivery').set({ queue }).where('rule', '=', from).execute();
}

async function moveCounts(trx: Transaction<Tables>, { from, to }: Renaming): Promise<void> {
  const rows = await trx.selectFrom('decision_count').select(['outcome', 'count']).where('rule', '=', from).execute();
  for (const { outcome, count } of rows)
    await trx
      .insertInto('decision_count')
      .values({ rule: to, outcome, count })
      .onConflict((conflict) => conflict.columns(['rule', 'outcome']).doUpdateSet({ count: sql`decision_count.count + excluded.count` }))
      .execute();
  await trx.deleteFrom('decision_count').where('rule', '=', from).execute();
}

async function movePastEpisodes(trx: Transaction<Tables>, { from, to }: Renaming): Promise<void> {
  const both = trx.selectFrom('past_episode as other').select('other.id').where('other.rule', '=', to);
  await trx.deleteFrom('past_episode').where('rule', '=', from).where('id', 'in', both).execute();
  await trx.updateTable('past_episode').set({ rule: to }).where('rule', '=', from).execute();
  const bothTotals = trx.selectFrom('episode_total as other').select('other.id').where('other.rule', '=', to);
  await trx.deleteFrom('episode_total').where('rule', '=', from).where('id', 'in', bothTotals).execute();
  await trx.updateTable('episode_total').set({ rule: to }).where('rule', '=', from).execute();
}

async function moveReceived(trx: Transaction<Tables>, { from, to }: Renaming): Promise<void> {
  const both = trx.selectFrom('received_webhook as other').select('other.key').where('other.rule', '=', to);
  await trx.deleteFrom('received_webhook').where('rule', '=', from).where('key', 'in', both).execute();
  await trx.updateTable('received_webhook').set({ rule: to }).where('rule', '=', from).execute();
}

/** Moves the pause in force; false: there is none under the old id. */
async function movePause(trx: Transaction<Tables>, { from, to }: Renaming): Promise<boolean> {
  const pauses = await trx.selectFrom('paused_rule').select(['rule', 'until_ms']).where('rule', 'in', [from, to]).execute();
  // A pause that is over must not replace one that is in force.
  const [last] = pauses.toSorted((a, b) => (b.until_ms ?? Infinity) - (a.until_ms ?? Infinity));
  if (!last) return false;
  await trx.deleteFrom('paused_rule').where('rule', 'in', [from, to]).where('rule', '<>', last.rule).execute();
  await trx.updateTable('paused_rule').set({ rule: to }).where('rule', '=', last.rule).execute();
  return pauses.some(({ rule }) => rule === from);
}

/** Moves the planned pauses; false: there are none under the old id. */
async function movePlanned(trx: Transaction<Tables>, { from, to }: Renaming): Promise<boolean> {
  const planned = trx.selectFrom('planned_pause').selectAll().where('rule', 'in', [from, to]);
  const byEnd = (await planned.execute()).toSorted((a, b) => (a.until_ms ?? Infinity) - (b.until_ms ?? Infinity));
  if (byEnd.every(({ rule }) => rule === to)) return false;
  // Of two pauses from the same instant, the longer one stays.
  const moved = new Map(byEnd.map((row) => [row.from_ms, { ...row, rule: to }]));
  await trx.deleteFrom('planned_pause').where('rule', 'in', [from, to]).execute();
  for (const some of chunks([...moved.values()])) await trx.insertInto('planned_pause').values(some).execute();
  return true;
}
