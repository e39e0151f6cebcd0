import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Episode, RuleMemory } from '#src/rules/episode.ts';
import { BoundedCache } from '#src/rules/expression/bounded-cache.ts';
import { keptValues } from '#src/rules/kept-values.ts';
import type { Item } from '#src/rules/poll.ts';
import { CHANGE_KINDS, type Rule, type Scope } from '#src/rules/rule.ts';
import type { Change } from '../changes/change.ts';
import type { ListedItem } from '../items/filter-items.ts';

/** A change and its episode. */
export interface ChangeOf {
  readonly episode: Episode;
  readonly change: Pick<Change, 'kind' | 'previous' | 'from' | 'to' | 'threshold' | 'previousThreshold'>;
}

/** The scope of every expression of a rule in one slot. */
export function slotScope({ name, about, lists, keep }: Rule, slotMs: number, memory: Pick<RuleMemory, 'kept'>): Scope {
  return {
    rule: { id: name, about },
    now: formatInstant(slotMs),
    ...(lists && { lists }),
    ...(keep && { keep: keptValues(keep, memory) }),
  };
}

/** The list of a poll and all its changes. */
export function listScope(listed: readonly ListedItem[], changes: readonly ChangeOf[]): { items: readonly Item[]; changes: JsonObject } {
  const lists = CHANGE_KINDS.map((kind) => [kind, changes.filter(({ change }) => change.kind === kind).map(changeRecord)] as const);
  return { items: listed.map(({ item }) => item), changes: Object.fromEntries(lists) };
}

/** The scope of a slot with one episode. */
export function episodeScope(
  slot: Scope,
  {
    episode,
    previous,
    change,
  }: { readonly episode: Episode; readonly previous: Item | undefined; readonly change?: ChangeOf['change'] | undefined },
): Scope {
  const { item } = episode;
  return { ...slot, item, previous, change: change && changeRecord({ episode, change }), episode: episodeRecord(episode) };
}

/** A change as expressions see it. */
export function changeRecord({ episode: { item }, change: { kind, previous, ...numbers } }: ChangeOf): JsonObject {
  const { from, to, threshold, previousThreshold } = numbers;
  return { kind, item, previous, rank: item['rank'], from, to, threshold, previousThreshold };
}

const MOST_INSTANTS = 1_000;

// The polls of a list show the same episodes again and again.
const instants = new BoundedCache<string, number>(MOST_INSTANTS);

function formatInstant(ms: number): string {
  return instants.get(ms, () => new Date(ms).toISOString());
}

/** An episode as expressions see it. */
export function episodeRecord(episode: Episode): JsonObject {
  const { id, phase, startedMs, lastSeenMs, polls, peak, games = [], closes } = episode;
  const lengthMs = Math.max(0, lastSeenMs - startedMs);
  const open = phase !== 'closed';
  const returned = closes > (open ? 0 : 1);
  return { id, open, returned, startedAt: formatInstant(startedMs), lengthMs, polls, peak, games, ...dataRecord(episode) };
}

/** The data of an episode that only some rules read. */
function dataRecord({ totals, peaks, spans, lastSeenMs }: Episode): JsonObject {
  return {
    ...(totals && { average: mapValues(totals, ({ sum, count }) => sum / count) }),
    ...(peaks && { atPeak: mapValues(peaks, ({ atMs, item }) => ({ at: formatInstant(atMs), item })) }),
    ...(spans && {
      spans: spans.map(({ value, fromMs, toMs = Math.max(lastSeenMs, fromMs) }) => {
        return { value, from: formatInstant(fromMs), to: formatInstant(toMs), lengthMs: toMs - fromMs };
      }),
    }),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, convert: (value: T) => Json): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}
