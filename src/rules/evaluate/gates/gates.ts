import type { Decision } from '#src/rules/decision.ts';
import type { PausedBy, RuleMemory, RuleState } from '#src/rules/episode.ts';
import type { GateBlock, GateSuppression } from '#src/rules/reasons/reason.ts';
import { MOST_COLLECTED, type Rule, type Scope } from '#src/rules/rule.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { keptValues, nextKeptValues } from '#src/rules/kept-values.ts';
import { createCooldown } from './cooldown.ts';
import { createDeliveryMode } from './delivery-mode.ts';
import { createFuse, fuseBlown } from './fuse.ts';
import { gatherDueMs } from './gather.ts';
import { createLimit, limitReached } from './limit.ts';
import { quietHours, quietUntil } from './quiet-hours.ts';

export type MuteSuppression = Extract<GateSuppression, { readonly kind: 'muted' }>;

/** The decision of the gates about a firing of `then`. A `deferred` firing is evaluated again when the quiet hours end. */
export type GateDecision =
  | {
      readonly kind: 'pass';
      /** The number of the firing in its rule. */
      readonly number: number;
      readonly queue: string;
      /** The firing replaces undelivered firings of its queue. */
      readonly replaces: boolean;
      /** The stored values after the firing. */
      readonly keep?: JsonObject | undefined;
    }
  | GateBlock;

/** The gates between a change and its firing, in order: pause, mute, `if`, fuse, cooldown, quiet hours, limit, mode. The first gate that blocks gives the reason. */
export interface Gates {
  /** Decides about a firing and counts it if it passes. `key` is the key of the item that the firing is about. */
  decide(scope: Scope, key?: string): GateDecision;
  isQuiet(): boolean;
  /** What blocks a step with `every` that creates something: a pause, a mute, the fuse or quiet hours. Undefined: nothing. */
  repeatSuppression(episode: string): GateSuppression | undefined;
  /** Whether deferred changes wait further: it is quiet, or `limit` holds them. */
  isDeferring(): boolean;
  /** Whether `limit` had room when the slot began. */
  readonly hasRoom: boolean;
  /** Counts the run of the steps of `gather`, or returns why the fuse blocks it. */
  takeGatherRun(): GateSuppression | undefined;
  /** The memory of the rule with everything that was counted. */
  memory(): RuleMemory;
  /** When the rule has to run because quiet hours with deferred changes end. Undefined if nothing is deferred. */
  wakeMs(decisions: readonly Decision[], collected?: Pick<RuleMemory, 'limited' | 'gathered'>): number | undefined;
}

/** The gates of a rule in one slot. A firing that passes counts for later firings of the slot. */
export function createGates({ rule, state, slotMs }: { readonly rule: Rule; readonly state: RuleState; readonly slotMs: number }): Gates {
  const { memory, paused, muted } = state;
  const fuse = createFuse(rule, memory, slotMs);
  const cooldown = createCooldown(rule, memory, slotMs);
  const limit = createLimit(rule, memory, slotMs);
  const hasRoom = limit.untilMs() === undefined;
  // A firing that sends nothing is counted when the steps of `gather` run.
  const onlyGathers = rule.gather !== undefined && rule.then.length === 0;
  const mode = createDeliveryMode(rule, state);
  let { firings } = memory;
  let kept = rule.keep && keptValues(rule.keep, memory);
  let limited = memory.limited?.length ?? 0;

  function quietUntilMs(): number | undefined {
    return rule.quiet && quietUntil(rule.quiet, slotMs);
  }

  /** When deferred changes can be announced. Undefined: now. */
  function deferredUntilMs(): number | undefined {
    return laterOf(quietUntilMs(), rule.limit?.then === 'hold' ? limit.untilMs() : undefined);
  }

  function blownSuppression(): GateSuppression | undefined {
    return memory.blownMs === undefined ? undefined : fuseBlown(rule.fuse, slotMs - memory.blownMs);
  }

  function personalSuppression(episode: string | undefined): GateSuppression | undefined {
    if (paused) return pauseSuppression(paused, slotMs);
    const mute = muted?.get(episode ?? '');
    return mute && muteSuppression(mute, slotMs);
  }

  function suppressionBeforeQuiet(scope: Scope, key: string | undefined): GateSuppression | undefined {
    const personal = personalSuppression(episodeIdOf(scope));
    if (personal) return personal;
    const verdict = rule.if?.test(scope);
    if (verdict && !verdict.holds) return { kind: 'if', condition: verdict.condition };
    return (onlyGathers ? blownSuppression() : fuse.suppression()) ?? cooldown.suppression(key);
  }

  return {
    decide(slot, key) {
      // An earlier firing of the slot may have changed the values.
      const scope = kept ? { ...slot, keep: kept } : slot;
      const early = suppressionBeforeQuiet(scope, key);
      if (early !== undefined) return { kind: 'suppressed', by: early };
      const untilMs = quietUntilMs();
      if (rule.quiet && untilMs !== undefined) {
        return { kind: rule.quiet.then === 'drop' ? 'suppressed' : 'deferred', by: quietHours(rule.quiet, untilMs - slotMs) };
      }
      const untilRoomMs = limit.untilMs();
      if (rule.limit && untilRoomMs !== undefined) {
        const isFull = typeof rule.limit.then === 'object' && limited >= MOST_COLLECTED;
        const kind = rule.limit.then === 'drop' || isFull ? 'suppressed' : 'deferred';
        if (kind === 'deferred') limited++;
        return { kind, by: limitReached(rule.limit, untilRoomMs - slotMs) };
      }
      const queue = key === undefined ? rule.id : `${rule.id}/${key}`;
      const full = mode.suppression(queue, episodeIdOf(scope));
      if (full !== undefined) return { kind: 'suppressed', by: full };
      const next = rule.keep && nextKeptValues(rule.keep, scope);
      if (next && 'error' in next) return { kind: 'suppressed', by: { kind: 'keepFailed', ...next } };
      kept = next?.values;
      if (!onlyGathers) fuse.count();
      limit.count();
      cooldown.count(key);
      firings++;
      return { kind: 'pass', number: firings, ...mode.take(queue, firings), keep: kept };
    },

    isQuiet: () => quietUntilMs() !== undefined,

    repeatSuppression(episode) {
      const early = personalSuppression(episode) ?? blownSuppression();
      const untilMs = quietUntilMs();
      return early ?? (rule.quiet && untilMs !== undefined ? quietHours(rule.quiet, untilMs - slotMs) : undefined);
    },

    isDeferring: () => deferredUntilMs() !== undefined,
    hasRoom,

    takeGatherRun() {
      const suppression = onlyGathers ? fuse.suppression() : blownSuppression();
      if (!suppression && onlyGathers) fuse.count();
      return suppression;
    },

    memory: () => ({
      ...memory,
      firings,
      ...cooldown.memory(),
      ...limit.memory(),
      ...fuse.memory(),
      // Values start with the first firing. Those that the file no longer has stay, because it may have them again.
      ...(kept && firings > memory.firings && { kept: { ...memory.kept, ...kept } }),
    }),

    wakeMs(decisions, { limited = [], gathered = [] } = {}) {
      const isHolding = memory.quietEndMs !== undefined || decisions.some(({ outcome }) => outcome === 'deferred');
      const instants = [
        isHolding ? deferredUntilMs() : undefined,
        limited.length > 0 ? laterOf(quietUntilMs(), limit.untilMs()) : undefined,
        gathered.length > 0 ? laterOf(quietUntilMs(), gatherDueMs(rule, gathered)) : undefined,
      ];
      const later = instants.filter((atMs) => atMs !== undefined && atMs > slotMs);
      return later.length > 0 ? Math.min(...later.map(Number)) : undefined;
    },
  };
}

function laterOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function episodeIdOf({ episode }: Scope): string | undefined {
  const id = episode?.['id'];
  return typeof id === 'string' ? id : undefined;
}

/** The suppression of an item that a person muted. */
export function muteSuppression({ by, atMs }: PausedBy, slotMs: number): MuteSuppression {
  return { kind: 'muted', by, agoMs: Math.max(0, slotMs - atMs) };
}

/** The suppression of a rule that a user paused. */
export function pauseSuppression({ by, atMs }: PausedBy, slotMs: number): Extract<GateSuppression, { readonly kind: 'paused' }> {
  return { kind: 'paused', by, agoMs: Math.max(0, slotMs - atMs) };
}
