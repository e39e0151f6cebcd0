import type { Restriction } from '#src/operation/audience.ts';
import type { Watch } from '#src/operation/declared.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from './poll.ts';
import type { Falsehood } from './reasons/falsehood.ts';
import type { Step, StepNames } from './step.ts';

/** The kinds of changes of an item, in the order of changes at one instant. */
export const CHANGE_KINDS = ['entered', 'left', 'moved', 'changed', 'rose', 'fell'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change that a rule watches. */
export type WatchedChange =
  | { readonly kind: 'entered' | 'left' }
  | { readonly kind: 'moved'; readonly direction?: 'up' | 'down' | undefined }
  /** `fields` may be paths, for example `game.name`. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  /** Each threshold fires alone. It is armed again when the field passes `rearm`. */
  | { readonly kind: 'rose' | 'fell'; readonly field: string; readonly lines: readonly { readonly at: number; readonly rearm: number }[] };

/** When a rule polls. */
export type Schedule =
  | { readonly everyMs: number }
  | { readonly cron: string; readonly timezone: string }
  /** Once. With the zone, if the rule has a local time. */
  | { readonly atMs: number; readonly timezone?: string | undefined };

/** The list that a rule watches. */
export interface Watched {
  /** The verb, for example `streaming.getStreams`. */
  readonly verb: string;
  /** The kind of list. It decides about missing items. */
  readonly kind: Watch;
  readonly with: JsonObject;
  /** The accounts that read. With several accounts, each item has `account` and `accounts`. */
  readonly accounts: readonly string[];
  /** The restricted audiences whose items count. */
  readonly include?: readonly Restriction[] | undefined;
  /** The condition for items that count. */
  readonly where?: Condition | undefined;
  readonly take?: number | undefined;
  /** The key of an item. */
  readonly key: (item: Item) => string | undefined;
  readonly changes: readonly WatchedChange[];
  /** The subject of a firing: one item, all changes of a poll, or the slot. */
  readonly per: 'item' | 'poll' | 'slot';
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settleMs: number;
  readonly graceMs: number;
  readonly first: 'silent' | 'fire';
  /** Changes with `watch`, `with`, `account`, `include`, `where`, `take` and `key`. The next good poll is then compared with the last list. */
  readonly fingerprint: string;
  readonly definition: ListDefinition;
}

/** The parts of a list that an edit may change one by one. The store keeps it as JSON. */
export interface ListDefinition {
  /** A hash of the operation and its parameters without names of users. */
  readonly query: string;
  readonly accounts: readonly string[];
  /** Short hashes of the users that the query names. Absent: it names none. */
  readonly users?: string | undefined;
  /** A hash of `include` and `where`. */
  readonly where: string;
  readonly take?: number | undefined;
}

/** The quiet hours of a rule, in minutes after midnight. `fromMinute` may be later than `toMinute`. */
export interface Quiet {
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly timezone: string;
  /** How a firing in quiet hours is handled: re-evaluate it at their end, drop it, or pass all deferred firings to these steps. */
  readonly then: 'hold' | 'drop' | readonly Step[];
}

/** How a firing is handled while an earlier firing of its queue is being delivered. */
type Mode = 'queued' | 'single' | 'restart' | 'parallel';

/** A checked rule. */
export interface Rule {
  /** Unique. An instance of `each` has the names of its values after the name of the rule: `five-games/chess`. */
  readonly id: string;
  /** The id in the file. All instances of a rule share it. */
  readonly name: string;
  /** The previous id of a renamed rule, or of this instance of it. Its state belongs to this rule. */
  readonly was?: string | undefined;
  /** A hash of the behaviour. A reload keeps a rule whose version is the same. */
  readonly version: string;
  /** The hash of the file in the version that all processes share; absent if the rule comes from a folder. */
  readonly published?: string | undefined;
  readonly about?: string | undefined;
  readonly file: string;
  readonly enabled: boolean | 'sandbox';
  /** The line of `enabled` in the file, from 1; absent without that key. */
  readonly enabledLine?: number | undefined;
  /** Where the file names channels and roles, by `channelUse`; absent if it names none. */
  readonly channels?: Readonly<Record<string, ChannelPosition>> | undefined;
  readonly schedule: Schedule;
  readonly missed: 'skip' | 'once' | 'all';
  readonly maxAgeMs: number;
  /** Absent: `then` runs each slot. */
  readonly watched?: Watched | undefined;
  /** The condition of a firing. */
  readonly if?: Condition | undefined;
  readonly cooldown?: { readonly forMs: number; readonly per: 'item' | 'rule' } | undefined;
  readonly quiet?: Quiet | undefined;
  /** More firings in `perMs` are suppressed and pause the rule. */
  readonly fuse: { readonly firings: number; readonly perMs: number };
  readonly mode: Mode;
  /** The maximum number of firings that wait in a queue, or of missed slots that run with `missed: all`. */
  readonly max: number;
  readonly then: readonly Step[];
  readonly while: readonly Step[];
  readonly finally: readonly Step[];
  readonly names: StepNames;
  /** Whether an expression of a step reads the list or all changes of the poll. */
  readonly readsList: boolean;
}

/** The position of the name of a channel or a role in its file, from 1. */
export interface ChannelPosition {
  readonly line: number;
  readonly column: number;
}

/** The use of a channel or a role by an operation, for example `discord.send live`. The channel is as the file has it, with its expressions. */
export function channelUse(verb: string, channel: string): string {
  return `${verb} ${channel}`;
}

/** All steps of a rule, in the order of its sections. */
export function allSteps({ then, while: lasting, finally: closing, quiet }: Rule): readonly Step[] {
  return [...then, ...lasting, ...closing, ...(typeof quiet?.then === 'object' ? quiet.then : [])];
}

/** The operations of a rule with their accounts: those of its steps, then the polled one. */
export function operationsOf(rule: Rule): readonly Pick<Step, 'do' | 'with' | 'as'>[] {
  const { watched } = rule;
  return [...allSteps(rule), ...(watched ? [{ do: watched.verb, with: watched.with, as: watched.accounts }] : [])];
}

/** The values of an expression. */
export interface Scope {
  readonly item?: Item | undefined;
  readonly previous?: Item | undefined;
  readonly change?: JsonObject | undefined;
  readonly episode?: JsonObject | undefined;
  readonly items?: readonly Item[] | undefined;
  readonly changes?: JsonObject | undefined;
  /** The deferred changes, in the steps of `quiet`. */
  readonly held?: readonly JsonObject[] | undefined;
  /** `id` is the id in the file. */
  readonly rule: { readonly id: string; readonly about?: string | undefined };
  /** The instant of the slot, or the end of the `wait` before the step. ISO 8601. */
  readonly now: string;
}

/** A checked condition. It never throws: an expression that cannot be evaluated is false, with its reason. */
export interface Condition {
  readonly source: string;
  test(scope: Scope): Verdict;
}

/** The result of a condition. `because` has the false clauses with their values. */
export type Verdict = { readonly holds: true } | { readonly holds: false; readonly because: Falsehood };
