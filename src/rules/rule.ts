import type { Watch } from '#src/operation/declared.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Item } from './poll.ts';
import type { Step, StepNames } from './step.ts';

/** Which change of the list opens an episode or fires. */
export type ChangeKind = 'entered' | 'left';

/** When a rule looks. */
export type Schedule = { readonly everyMs: number } | { readonly cron: string; readonly timezone: string };

/** What a rule looks at. */
export interface Watched {
  /** The verb, as `streaming.getStreams`. */
  readonly verb: string;
  /** What a missing item means. */
  readonly kind: Watch;
  readonly with: JsonObject;
  readonly account: string;
  /** Which items count at all. */
  readonly where?: Condition | undefined;
  readonly take?: number | undefined;
  /** What an item is known by. */
  readonly key: (item: Item) => string | undefined;
  readonly changes: readonly ChangeKind[];
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settleMs: number;
  readonly graceMs: number;
  readonly first: 'silent' | 'fire';
  /** Changes when `watch`, `with`, `account`, `where`, `take` or `key` do: the next good poll is then a baseline. */
  readonly fingerprint: string;
}

/** A rule that was checked and can run. */
export interface Rule {
  readonly id: string;
  readonly about?: string | undefined;
  readonly file: string;
  readonly enabled: boolean | 'sandbox';
  readonly schedule: Schedule;
  readonly missed: 'skip' | 'once';
  readonly maxAgeMs: number;
  /** Absent: `then` runs every slot. */
  readonly watched?: Watched | undefined;
  /** Asked once, at the firing. */
  readonly if?: Condition | undefined;
  readonly cooldown?: { readonly forMs: number; readonly per: 'item' | 'rule' } | undefined;
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
  readonly rule: { readonly id: string; readonly about?: string | undefined };
  /** ISO 8601: the instant of the slot. */
  readonly now: string;
}

/** A condition that was checked. It does not throw: an expression that cannot be evaluated does not hold, with its reason. */
export interface Condition {
  readonly source: string;
  test(scope: Scope): Verdict;
}

/** `because` names the clause that was false, with the numbers in it. */
export type Verdict = { readonly holds: true } | { readonly holds: false; readonly because: string };
