import { canonical, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Baseline, CollectedChange, DeferredChange, Episode, RuleState } from '#src/rules/episode.ts';
import { CHANGE_KINDS, type ChangeKind, type Rule, type Watched, type WatchedChange } from '#src/rules/rule.ts';
import { numberAt, valueAt } from '../items/item-fields.ts';

/** A rule state whose changes no longer wait for steps that an edit removed. */
export interface StateWithoutSteps {
  readonly state: RuleState;
  /** The ids of the changed episodes. */
  readonly edited: ReadonlySet<string>;
}

type Section = 'quiet' | 'limit';

/**
 * Defers the changes that wait for the steps of `quiet` or `limit` as `hold` defers changes, if an edit removed the steps. Otherwise, neither the old nor the
 * new steps would announce them. Undefined if no change waits for removed steps.
 */
export function withoutRemovedSteps(state: RuleState, { quiet, limit }: Rule, watched: Watched): StateWithoutSteps | undefined {
  const { memory, episodes } = state;
  const fromQuiet = memory.quietEndMs !== undefined && typeof quiet?.then !== 'object';
  const collected = memory.limited !== undefined && typeof limit?.then !== 'object' ? memory.limited : [];
  const edited = new Map<string, Episode>();
  for (const episode of fromQuiet ? episodes.values() : []) {
    const { id, deferredChanges } = episode;
    if (!deferredChanges) continue;
    const released = { ...episode, deferredChanges: undefined };
    edited.set(
      id,
      CHANGE_KINDS.reduce<Episode>((one, kind) => {
        const change = deferredChanges[kind];
        return change ? deferAgain(one, { ...change, kind, section: 'quiet' }, watched) : one;
      }, released),
    );
  }
  for (const one of collected) {
    const episode = edited.get(one.episode) ?? episodes.get(one.episode);
    if (episode) edited.set(one.episode, deferAgain(episode, { ...changeOf(one), section: 'limit' }, watched));
  }
  if (edited.size === 0 && collected.length === 0) return undefined;
  return {
    state: {
      ...state,
      memory: collected.length > 0 ? { ...memory, limited: undefined } : memory,
      episodes: new Map([...episodes, ...edited]),
    },
    edited: new Set(edited.keys()),
  };
}

interface WaitingChange extends DeferredChange {
  readonly kind: ChangeKind;
  readonly section: Section;
}

function changeOf({ atMs, change }: CollectedChange): Omit<WaitingChange, 'section'> {
  const { previous, from, to } = change;
  return {
    kind: CHANGE_KINDS.find((kind) => kind === change['kind']) ?? 'entered',
    atMs,
    previous: isJsonObject(previous) ? previous : undefined,
    from: typeof from === 'number' ? from : undefined,
    to: typeof to === 'number' ? to : undefined,
  };
}

function deferAgain(episode: Episode, change: WaitingChange, { changes, settleMs }: Watched): Episode {
  const { kind, section } = change;
  const deferredBy = section === 'limit' ? section : undefined;
  const isClosed = episode.phase === 'closed';
  if (kind === 'entered') {
    if (isClosed) return { ...episode, suppressedBy: { kind: section === 'limit' ? 'endedAtLimit' : 'endedInQuietHours' } };
    return { ...episode, suppressedBy: undefined, deferred: 'entered', deferredBy };
  }
  if (kind === 'left') return isClosed ? { ...episode, deferred: 'left', deferredBy } : episode;
  if (isClosed || !episode.baselines) return episode;
  // The value held for `settle` before the change was deferred.
  const settled = { ...change, atMs: change.atMs - settleMs };
  const baselines = changes.flatMap((one) => (one.kind === kind ? oldBaselines(one, settled, episode.baselines ?? {}) : []));
  return { ...episode, baselines: { ...episode.baselines, ...Object.fromEntries(baselines) } };
}

/** The baselines before a change, so that the next poll announces the change if the value still differs. */
function oldBaselines(
  watched: WatchedChange,
  change: WaitingChange,
  known: NonNullable<Episode['baselines']>,
): readonly (readonly [string, Baseline])[] {
  const { previous = {}, from, to, atMs } = change;
  const back = (name: string, announced: Json | undefined, next = known[name]?.announced, read?: Json): ReturnType<typeof oldBaselines> => {
    const isSame = canonical(next ?? null) === canonical(announced ?? null);
    if (!known[name] || known[name].sinceMs !== undefined || isSame) return [];
    return [[name, { announced, next, sinceMs: atMs, from: read, deferred: true }]];
  };
  switch (watched.kind) {
    case 'entered':
    case 'left':
      return [];
    case 'changed':
      return watched.fields.flatMap((field) => back(`changed ${field}`, valueAt(previous, field), undefined, valueAt(previous, field)));
    case 'moved':
      return back('moved', 0, (to ?? 0) - (from ?? 0), previous['rank']);
    case 'rose':
    case 'fell': {
      const { kind, field } = watched;
      const before = numberAt(previous, field);
      if ('every' in watched) {
        const multiple = Math.max(0, Math.floor((before ?? 0) / watched.every) * watched.every);
        return back(`rose ${field} every ${watched.every}`, multiple, undefined, before);
      }
      return watched.lines.flatMap(({ at }) => {
        const name = `${kind} ${field} ${at}`;
        const wasPast = before !== undefined && (kind === 'rose' ? before > at : before < at);
        return known[name]?.announced === true && !wasPast ? back(name, false, true, before) : [];
      });
    }
  }
}
