import type { Restriction } from '#src/clients/operation/audience.ts';
import type { Watch } from '#src/clients/operation/declared.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { COLLECTING_SECTIONS, type CollectingSection } from './collecting.ts';
import type { CronSchedule } from './clocks/cron-slots.ts';
import type { Lists } from './lists.ts';
import type { People, PeopleIndex } from './people/people.ts';
import type { Item } from './poll.ts';
import type { Priority } from './priority.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { CommandOption, KeptJson, KeptType, Step, StepNames, WebhookFields } from './step.ts';

/** The kinds of changes of an item, in the order of changes at one instant. */
export const CHANGE_KINDS = ['entered', 'left', 'moved', 'changed', 'rose', 'fell'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export type WatchedChange =
  | { readonly kind: 'entered' | 'left' }
  | { readonly kind: 'moved'; readonly direction?: 'up' | 'down' | undefined }
  /** `fields` may be paths, for example `game.name`. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  /** Each threshold fires alone. It is armed again when the field passes `rearm`. */
  | { readonly kind: 'rose' | 'fell'; readonly field: string; readonly lines: readonly { readonly at: number; readonly rearm: number }[] }
  /** Each multiple of `every` fires once in an episode. */
  | { readonly kind: 'rose'; readonly field: string; readonly every: number };

/** When a rule polls. */
export type Schedule =
  | { readonly everyMs: number }
  | CronSchedule
  /** Once. With the zone, if the rule has a local time. */
  | { readonly atMs: number; readonly timezone?: string | undefined }
  /** When a member uses this slash command. */
  | { readonly command: string }
  /** When a request to this webhook arrives. */
  | { readonly webhook: string };

/** The slash command that a rule answers. */
export interface RuleCommand {
  readonly name: string;
  /** The description that Discord shows. */
  readonly about: string;
  /** Required ones first, as Discord demands. */
  readonly options: readonly CommandOption[];
  /** The roles whose members may use it; absent: all members. */
  readonly roles?: readonly string[] | undefined;
  /** Whether everyone in the channel sees the answer. */
  readonly isPublic: boolean;
  /** The accounts whose servers offer it. */
  readonly accounts: readonly string[];
}

/** The webhook that starts a rule. */
export interface RuleWebhook {
  readonly name: string;
  readonly fields: WebhookFields;
  /** The largest body of a request. */
  readonly maxBytes: number;
  /** The id of a payload; absent: the sender signs an id, or the digest of the body counts. */
  readonly key?: ((item: Item) => string | undefined) | undefined;
}

/** A request of a webhook that passed all checks. All texts are written by strangers. */
export interface ReceivedWebhook {
  readonly webhook: string;
  /** The id of the payload. A rule processes it once. */
  readonly key: string;
  /** The fields that the rule reads. */
  readonly item: Item;
}

/** The list that a rule watches. */
export interface Watched {
  /** The verb, for example `streaming.getStreams`. */
  readonly verb: string;
  /** The kind of list. It decides about missing items. */
  readonly kind: Watch;
  /** Whether the list has its newest items first, so that their announcements begin with its last ones. Absent: no. */
  readonly isNewestFirst?: true | undefined;
  /** The parameters. `bindLists` computes those that read lists. */
  readonly with: JsonObject;
  /** Computes `with` for a poll, if expressions in it read lists. Throws an `ExpressionError`. */
  readonly withOf?: ((lists: Lists) => JsonObject) | undefined;
  /** The list whose entries are watched: one item for each entry. `index` has the entries of a poll, from `bindLists`. */
  readonly people?: (People & { readonly index?: PeopleIndex | undefined }) | undefined;
  /** The accounts that read. With several accounts, each item has `account` and `accounts`. */
  readonly accounts: readonly string[];
  /** The restricted audiences whose items count. */
  readonly include?: readonly Restriction[] | undefined;
  /** The condition for items that count. */
  readonly where?: Condition | undefined;
  /** The lists that `where` and `key` read. Absent: none, or the rule has `people`. */
  readonly conditionLists?: readonly string[] | undefined;
  readonly take?: number | undefined;
  readonly key: (item: Item) => string | undefined;
  /** Why the key of an item cannot be computed. Absent, or undefined: it is empty. */
  readonly keyFailure?: ((item: Item) => string | undefined) | undefined;
  /** Whether items of several users may have the same key. Absent: no. */
  readonly sharesKeys?: true | undefined;
  readonly changes: readonly WatchedChange[];
  /** The subject of a firing: one item, all changes of a poll, or the slot. */
  readonly per: 'item' | 'poll' | 'slot';
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settleMs: number;
  readonly graceMs: number;
  readonly first: 'silent' | 'fire';
  /** The fields of items that decide about its changes and its texts. Absent: the rule needs each of its polls. */
  readonly decidingFields?: readonly string[] | undefined;
  /** The data of an episode that the rule reads; absent: none. Other rules do not store it. */
  readonly tracks?: EpisodeTracks | undefined;
  /** Changes with `watch`, `with`, `account`, `include`, `where`, `take` and `key`. The next good poll is then compared with the last list. */
  readonly fingerprint: string;
  readonly definition: ListDefinition;
}

/** Data that is stored with an episode only if the rule reads it. */
export interface EpisodeTracks {
  /** The fields of `episode.average`. */
  readonly average?: readonly string[] | undefined;
  /** The fields of `episode.atPeak`. */
  readonly atPeak?: readonly string[] | undefined;
  /** Whether it reads `episode.spans`. */
  readonly spans?: true | undefined;
}

/** The parts of a list that an edit may change one by one. The store keeps it as JSON. */
export interface ListDefinition {
  /** A hash of the operation and its parameters without names of users. */
  readonly query: string;
  readonly accounts: readonly string[];
  /** Short hashes of the users that the query names; with `people`, long hashes of the entries and their names. Absent: it names none. */
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

/** The most firings of a rule in a time. The rule is not paused. */
export interface Limit {
  readonly firings: number;
  readonly perMs: number;
  /** How a further firing is handled: see `Quiet.then`. */
  readonly then: 'hold' | 'drop' | readonly Step[];
}

/** Collects the items of firings, and runs steps once with all of them. */
export interface Gather {
  /** The number of items at which the steps run. */
  readonly count: number;
  /** When the steps run with fewer items. */
  readonly schedule?: CronSchedule | undefined;
  readonly then: readonly Step[];
}

/** The most changes that `limit` and `gather` collect. `forEach` takes as many. */
export const MOST_COLLECTED = 100;

/** How a firing is handled while an earlier firing of its queue is being delivered. */
type Mode = 'queued' | 'single' | 'restart' | 'parallel';

/** A stored value of a rule. */
export interface KeptValue {
  readonly name: string;
  readonly type: KeptType;
  /** The value before the first firing. */
  readonly start: KeptJson;
  /** Computes the value after a firing. `scope.keep` has the values before it. */
  readonly next: (scope: Scope) => { readonly value: KeptJson } | { readonly error: string };
}

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
  /** The hash of the text of its file. */
  readonly textVersion: string;
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
  /** The longest acceptable time between a change at the platform and the poll that shows it; absent: a multiple of `every`. */
  readonly withinMs?: number | undefined;
  /** Absent: normal. */
  readonly priority?: Priority | undefined;
  /** The slash command that it answers; absent: it runs at a schedule. */
  readonly command?: RuleCommand | undefined;
  /** The webhook that starts it; absent: it runs at a schedule. */
  readonly webhook?: RuleWebhook | undefined;
  readonly missed: 'skip' | 'once' | 'all';
  readonly maxAgeMs: number;
  /** Absent: `then` runs each slot. */
  readonly watched?: Watched | undefined;
  /** The condition of a firing. */
  readonly if?: Condition | undefined;
  /** The stored values; absent: none. */
  readonly keep?: readonly KeptValue[] | undefined;
  readonly cooldown?: { readonly forMs: number; readonly per: 'item' | 'rule' } | undefined;
  readonly quiet?: Quiet | undefined;
  readonly limit?: Limit | undefined;
  readonly gather?: Gather | undefined;
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
  /** Whether an expression may read the rank of an item in the list. Absent: no. */
  readonly readsRank?: true | undefined;
  /** The lists that its expressions read as `lists.<name>`; undefined: none. */
  readonly readLists?: readonly string[] | undefined;
  /** Their entries at a poll, by list, from `bindLists`. */
  readonly lists?: JsonObject | undefined;
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
export function allSteps(rule: Rule): readonly Step[] {
  return [...rule.then, ...rule.while, ...rule.finally, ...COLLECTING_SECTIONS.flatMap((section) => collectingSteps(rule, section))];
}

/** The steps of a rule that run once with a list of changes. */
export function collectingSteps(rule: Pick<Rule, CollectingSection>, section: CollectingSection): readonly Step[] {
  const steps = rule[section]?.then;
  return steps === undefined || typeof steps === 'string' ? [] : steps;
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
  /** The entries of the lists that the rule reads. */
  readonly lists?: JsonObject | undefined;
  /** The use of the command that the rule answers: see `CommandUse`. */
  readonly command?: JsonObject | undefined;
  /** The stored values: for conditions, `while` and `finally` those before the firing, for `then` those after it. */
  readonly keep?: JsonObject | undefined;
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

/** The result of a condition. `condition` has the false clauses with their values. */
export type Verdict = { readonly holds: true } | { readonly holds: false; readonly condition: Falsehood };
