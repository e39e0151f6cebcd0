import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Episode, RuleState } from '#src/rules/episode.ts';
import { CHANGE_KINDS, type ChangeKind, type Rule, type Scope } from '#src/rules/rule.ts';
import type { GateSuppression } from '#src/rules/reasons/reason.ts';
import { muteSuppression, pauseSuppression } from '../gates/gates.ts';
import { byCreation, byLastRank } from '../items/item-fields.ts';
import { decide, effects, mergeEffects, type Effects } from './effects.ts';
import type { EvaluatedList } from './evaluated-list.ts';
import { quietFiring } from './firings.ts';
import { changeRecord, episodeRecord } from './scope.ts';
import { withoutMuted } from './without-muted.ts';
import { released, type EpisodeWrites } from './episode-writes.ts';
import { fuseBlown } from '#src/rules/evaluate/gates/fuse.ts';

/** Hands all deferred changes to the steps of `quiet` once the quiet hours are over. */
export function quietEndEffects(writes: EpisodeWrites, evaluated: EvaluatedList): Effects & { readonly writes: EpisodeWrites } {
  const { rule, watched, state, slotMs, gates, stepScope } = evaluated;
  if (typeof rule.quiet?.then !== 'object' || state.memory.quietEndMs === undefined || gates.isQuiet()) return { ...effects({}), writes };
  const current = new Map<string, Episode>(state.episodes);
  for (const id of writes.drop) current.delete(id);
  for (const episode of writes.put) current.set(episode.id, episode);
  const byRank = [...current.values()].filter((episode) => episode.deferredChanges).toSorted(byLastRank);
  const deferred = watched.isNewestFirst ? byCreation(byRank, ({ item }) => item) : byRank;
  if (deferred.length === 0) return { ...effects({}), writes };

  // This poll may have exceeded the limit of firings.
  const options = { rule, state: { ...state, memory: gates.memory() }, slotMs, scope: stepScope };
  const suppressedBy = suppressionOfSteps(options);
  const after = deferred.map((waiting) => {
    const mute = state.muted?.get(waiting.id);
    const episode = withSuppression(waiting, mute ? muteSuppression(mute, slotMs) : suppressedBy);
    return episode.deferred ? { put: [{ ...episode, deferredChanges: undefined }], drop: [], past: [] } : released(episode, watched);
  });
  const ids = new Set(deferred.map(({ id }) => id));
  const { left, muted } = withoutMuted(deferred, ({ id }) => state.muted?.get(id), slotMs);
  const [all, held] = [deferredRecords(deferred), deferredRecords(left)];
  const reason = { kind: 'quietHoursEnded', changes: all.length - held.length, suppressedBy: muted?.suppressedBy } as const;
  const blocked = effects({ decisions: muted ? [decide('suppressed', reason, { rule, slotMs })] : [] });
  return {
    ...mergeEffects(held.length > 0 ? [fireDeferred(held, options), blocked] : [blocked]),
    writes: {
      put: [...writes.put.filter(({ id }) => !ids.has(id)), ...after.flatMap(({ put }) => put)],
      drop: [...writes.drop, ...after.flatMap(({ drop }) => drop)],
      past: [...writes.past, ...after.flatMap(({ past }) => past)],
    },
  };
}

/** An episode whose entry the steps of `quiet` do not announce, so that a person can still ask for its announcement. */
function withSuppression(episode: Episode, suppressedBy: GateSuppression | undefined): Episode {
  return suppressedBy && episode.deferredChanges?.entered ? { ...episode, suppressedBy } : episode;
}

interface QuietEnd {
  readonly rule: Rule;
  readonly state: Pick<RuleState, 'memory' | 'paused'>;
  readonly slotMs: number;
}

/** Why the steps of `quiet` do not run at the end of the quiet hours; undefined: they run. */
function suppressionOfSteps({ rule, state: { memory, paused }, slotMs }: QuietEnd) {
  if (paused) return pauseSuppression(paused, slotMs);
  return memory.blownMs === undefined ? undefined : fuseBlown(rule.fuse, slotMs - memory.blownMs);
}

/** Fires the steps of `quiet` with the deferred changes. */
export function fireDeferred(held: readonly JsonObject[], options: QuietEnd & { readonly scope: Scope }): Effects {
  const {
    rule,
    state: { memory },
    slotMs,
    scope,
  } = options;
  const steps = rule.quiet?.then;
  if (steps === undefined || typeof steps === 'string') return effects({});
  const subject = { rule, slotMs };
  const lastSlotMs = rule.watched ? undefined : memory.deferredSlot?.atMs;
  const reason = { kind: 'quietHoursEnded', changes: held.length, ...(lastSlotMs !== undefined && { lastSlotMs }) } as const;
  const suppressedBy = suppressionOfSteps(options);
  if (suppressedBy) return effects({ decisions: [decide('suppressed', { ...reason, suppressedBy }, subject)] });
  const firing = quietFiring({ ...subject, scope: { ...scope, held }, endMs: memory.quietEndMs ?? slotMs, steps });
  return effects({ firings: [firing], decisions: [decide('fired', reason, { ...subject, details: { firing: firing.id } })] });
}

/** The deferred changes of episodes by time. Changes of the same instant are in the order of their episodes. */
function deferredRecords(episodes: readonly Episode[]): readonly JsonObject[] {
  const all = episodes.flatMap((episode) =>
    CHANGE_KINDS.flatMap((kind) => {
      const atMs = episode.deferredChanges?.[kind]?.atMs;
      return atMs === undefined ? [] : [{ atMs, record: deferredRecord(episode, kind) }];
    }),
  );
  return all.toSorted((a, b) => a.atMs - b.atMs).map(({ record }) => record);
}

function deferredRecord(episode: Episode, kind: ChangeKind): JsonObject {
  const { previous, from, to } = episode.deferredChanges?.[kind] ?? {};
  const change = { kind, previous, from, to };
  return { ...changeRecord({ episode, change }), open: episode.phase !== 'closed', episode: episodeRecord(episode) };
}
