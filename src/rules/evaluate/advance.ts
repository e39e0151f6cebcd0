import type { RuleMemory, RuleState } from '#src/rules/episode.ts';
import { commandScope, type CommandUse } from './command-use.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { ReceivedWebhook, Rule } from '#src/rules/rule.ts';
import { advanceList } from './advance-list.ts';
import { decide, effects, type Advance } from './effects/effects.ts';
import { slotScope } from './effects/scope.ts';
import { slotEffects } from './effects/slot-effects.ts';
import { createGates } from './gates/gates.ts';
import { restedUntil, unreadSince } from './rested-slots.ts';

/** How long deferred changes wait after a failed poll. */
const RETRY_MS = 300_000;

export interface AdvanceOptions {
  readonly rule: Rule;
  readonly state: RuleState;
  /** The result of the poll. A rule that watches nothing has one only if its lists cannot be read: a failure. */
  readonly poll?: Poll | undefined;
  /** The instant of the slot, in milliseconds since 1970. */
  readonly slotMs: number;
  /**
   * Whether more than two slots passed since the last good poll (`state.memory.lastPollMs`).
   * Default: computed for `every`, false for `cron`.
   */
  readonly gap?: boolean | undefined;
  /**
   * Whether the rule runs only because of `wakeMs`, so that the slot is not in its schedule.
   * Default: true at the end of quiet hours, unless that instant is in the schedule.
   */
  readonly woken?: boolean | undefined;
  /** The last slot without a poll since the last one, because no change was notified; absent: none. It counts as a poll without a change. */
  readonly restedMs?: number | undefined;
  /** Whether a hint brought the poll outside the schedule, so that it may come a moment after the last one. Default: false. */
  readonly isHinted?: boolean | undefined;
  /** Whether a platform notified Fanfare before the poll, even if the poll is in the schedule. Default: false. */
  readonly isNotified?: boolean | undefined;
  /** The use of the command that the rule answers. Without one, such a rule does nothing. */
  readonly command?: CommandUse | undefined;
  /** The request to the webhook of the rule. Without one, such a rule does nothing. */
  readonly webhook?: ReceivedWebhook | undefined;
  /** The keys of items that a person asked to announce: an open episode that is not announced is then announced as a new one. */
  readonly requested?: ReadonlySet<string> | undefined;
}

/** Evaluates one slot of a rule. A pure function: equal options give equal results. */
export function advance(options: AdvanceOptions): Advance {
  const { rule, state, poll, slotMs, gap, isHinted = false, isNotified = false, command, webhook, requested } = options;
  const { watched } = rule;
  const woken = options.woken ?? isWoken(options);
  if ((rule.command && !command) || (rule.webhook && !webhook)) return effects({});
  if (poll && 'failure' in poll) return failPoll(options, poll);
  if (!watched) return advanceSlot({ rule, state, slotMs, woken, command, webhook });
  if (!poll) return failPoll(options);
  const made = advanceList({
    rule,
    watched,
    state: restedUntil(state, options.restedMs),
    list: poll,
    slotMs,
    gap,
    isHinted,
    isNotified,
    woken,
    unreadSinceMs: unreadSince(options),
    requested,
  });
  return poll.asked ? keepLastPoll(made, state.memory) : made;
}

/** A failed poll changes nothing. */
function failPoll({ rule, state, slotMs }: AdvanceOptions, poll?: Extract<Poll, { readonly failure: string }>): Advance {
  const { quietEndMs } = state.memory;
  const wakeMs = quietEndMs === undefined || quietEndMs > slotMs ? quietEndMs : slotMs + RETRY_MS;
  return { ...effects({ decisions: [decide('failed', { kind: 'pollFailed', ...poll }, { rule, slotMs })] }), wakeMs };
}

/** A poll of some names is not the last poll of the other ones, even if slots were passed over before it. */
function keepLastPoll(made: Advance, { lastPollMs }: RuleMemory): Advance {
  return made.change ? { ...made, change: { ...made.change, memory: { ...made.change.memory, lastPollMs } } } : made;
}

/** A slot of a rule that watches nothing. */
function advanceSlot(
  options: Pick<AdvanceOptions, 'rule' | 'state' | 'slotMs' | 'command' | 'webhook'> & { readonly woken: boolean },
): Advance {
  const { rule, slotMs, command, webhook } = options;
  const scope = {
    ...slotScope(rule, slotMs, options.state.memory),
    ...(command && { command: commandScope(command) }),
    ...(webhook && { item: webhook.item }),
  };
  const gates = createGates(options);
  const { deferredSlot, ...all } = slotEffects({ ...options, gates, conditionScope: scope, stepScope: scope });
  const wakeMs = gates.wakeMs(all.decisions);
  const memory: RuleMemory = { ...gates.memory(), quietEndMs: wakeMs, deferredSlot };
  return { ...all, change: { memory, put: [], drop: [] }, wakeMs };
}

function isWoken({ rule: { schedule }, state, slotMs }: AdvanceOptions): boolean {
  if (slotMs !== state.memory.quietEndMs) return false;
  if ('atMs' in schedule) return schedule.atMs !== slotMs;
  if ('command' in schedule || 'webhook' in schedule) return false;
  return 'cron' in schedule || slotMs % schedule.everyMs !== 0;
}
