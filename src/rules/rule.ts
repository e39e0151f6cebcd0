import type { Watch } from '#src/operation/declared.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from './poll.ts';
import type { Falsehood } from './reasons/falsehood.ts';
import type { Step, StepNames } from './step.ts';

/** What can happen to an item of a list. */
export type ChangeKind = 'entered' | 'left' | 'moved' | 'changed' | 'rose' | 'fell';

/** Which change of the list opens an episode or fires. */
export type WatchedChange =
  | { readonly kind: 'entered' | 'left' }
  | { readonly kind: 'moved'; readonly direction?: 'up' | 'down' | undefined }
  /** `fields` may be paths, as `game.name`. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  /** Each line is crossed for itself, and armed again where the field has been back past `rearm`. */
  | { readonly kind: 'rose' | 'fell'; readonly field: string; readonly lines: readonly { readonly at: number; readonly rearm: number }[] };

/** When a rule looks. */
export type Schedule =
  | { readonly everyMs: number }
  | { readonly cron: string; readonly timezone: string }
  /** Once; with the zone, where it was written in local time. */
  | { readonly atMs: number; readonly timezone?: string | undefined };

/** What a rule looks at. */
export interface Watched {
  /** The verb, as `streaming.getStreams`. */
  readonly verb: string;
  /** What a missing item means. */
  readonly kind: Watch;
  readonly with: JsonObject;
  /** Whose accounts read; where there are several, each item has `account`. */
  readonly accounts: readonly string[];
  /** Which items count at all. */
  readonly where?: Condition | undefined;
  readonly take?: number | undefined;
  /** What an item is known by. */
  readonly key: (item: Item) => string | undefined;
  readonly changes: readonly WatchedChange[];
  /** What one firing is about: an item, all that changed in a poll, or the slot, whatever changed. */
  readonly per: 'item' | 'poll' | 'slot';
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settleMs: number;
  readonly graceMs: number;
  readonly first: 'silent' | 'fire';
  /** Changes when `watch`, `with`, `account`, `where`, `take` or `key` do: the next good poll is then a baseline. */
  readonly fingerprint: string;
}

/** The hours in which a rule does not speak, in minutes after midnight; `from` may be later than `to`. */
export interface Quiet {
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly timezone: string;
  /** What becomes of a firing in them: it is looked at again at their end, dropped, or handed with all others to these steps. */
  readonly then: 'hold' | 'drop' | readonly Step[];
}

/** What becomes of a firing that comes while an earlier one of its queue is being delivered. */
type Mode = 'queued' | 'single' | 'restart' | 'parallel';

/** A rule that was checked and can run. */
export interface Rule {
  /** Unique; an instance of `each` has the names of its values behind the rule's: `five-games/chess`. */
  readonly id: string;
  /** The id as its author wrote it: the instances of a rule share it. */
  readonly name: string;
  /** Differs wherever anything differs that the rule does; equal: a reload leaves it alone. */
  readonly version: string;
  readonly about?: string | undefined;
  readonly file: string;
  readonly enabled: boolean | 'sandbox';
  readonly schedule: Schedule;
  readonly missed: 'skip' | 'once' | 'all';
  readonly maxAgeMs: number;
  /** Absent: `then` runs every slot. */
  readonly watched?: Watched | undefined;
  /** Asked once, at the firing. */
  readonly if?: Condition | undefined;
  readonly cooldown?: { readonly forMs: number; readonly per: 'item' | 'rule' } | undefined;
  readonly quiet?: Quiet | undefined;
  /** The firing past so many in `perMs` is not sent, and pauses the rule. */
  readonly fuse: { readonly firings: number; readonly perMs: number };
  readonly mode: Mode;
  /** How many firings may wait in a queue, or, of slots, how many are made up for with `missed: all`. */
  readonly max: number;
  readonly then: readonly Step[];
  readonly while: readonly Step[];
  readonly finally: readonly Step[];
  readonly names: StepNames;
  /** Whether an expression of a step looks at the whole list or at all changes of the poll. */
  readonly readsList: boolean;
}

/** What an expression sees. */
export interface Scope {
  readonly item?: Item | undefined;
  readonly previous?: Item | undefined;
  readonly change?: JsonObject | undefined;
  readonly episode?: JsonObject | undefined;
  readonly items?: readonly Item[] | undefined;
  readonly changes?: JsonObject | undefined;
  /** What was held back, in the steps of `quiet`. */
  readonly held?: readonly JsonObject[] | undefined;
  /** `id` is the one that its author wrote. */
  readonly rule: { readonly id: string; readonly about?: string | undefined };
  /** ISO 8601: the instant of the slot; of a step behind a `wait`, the end of it. */
  readonly now: string;
}

/** A condition that was checked. It does not throw: an expression that cannot be evaluated does not hold, with its reason. */
export interface Condition {
  readonly source: string;
  test(scope: Scope): Verdict;
}

/** `because` names the clause that was false, with the numbers in it. */
export type Verdict = { readonly holds: true } | { readonly holds: false; readonly because: Falsehood };
