import type { Fault } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Omission } from '#src/operation/part.ts';
import type { Delivery, DeliveryState } from '#src/delivery/delivery.ts';
import type { Origin } from '#src/delivery/delivery-log.ts';
import type { Decision, Outcome } from '#src/rules/decision.ts';
import type { DeliveryReason } from '#src/delivery/reason.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { Explanation } from './explanation.ts';

export type { Delivery, DeliveryError, DeliveryState } from '#src/delivery/delivery.ts';
export type { DeliveryReason } from '#src/delivery/reason.ts';
export type { Listing } from '#src/operation/listing.ts';

export interface UndeliveredView {
  /** The failed deliveries of the last 24 hours. */
  readonly failed: number;
  /** The unknown deliveries of any age. Each waits for an operator. */
  readonly unknown: number;
}

export interface Readiness {
  readonly ready: boolean;
  /** The obstacle or the error. */
  readonly why?: string | undefined;
}

/** An account of the configuration, with its state. */
export interface AccountView {
  readonly name: string;
  readonly platform: string;
  readonly role: 'streaming' | 'social' | 'chat' | 'assistant';
  /** Whether the sandbox simulates it. */
  readonly sandbox: boolean;
  readonly state: 'connected' | 'connecting' | 'failed';
  /** The error and its remedy. */
  readonly problem?: string | undefined;
  /** The fault of the last failed request. */
  readonly fault?: Fault | undefined;
}

/** A rule, or a rule file with errors. */
export interface RuleView {
  /** The id of the rule, or the name of a file with errors. */
  readonly id: string;
  readonly about?: string | undefined;
  readonly file: string;
  /** The value of `enabled` in the file. */
  readonly enabled: boolean | 'sandbox';
  /** Whether it runs. If its file has errors, its last version without errors may run. */
  readonly on: boolean;
  /** The pause of a running rule. */
  readonly paused?: PauseView | undefined;
  /** The schedule as text, for example `every 10s`. */
  readonly schedule?: string | undefined;
  readonly nextRunAt?: Date | undefined;
  readonly lastDecision?: DecisionView | undefined;
  /** The number of failed and unknown deliveries of the last decision. */
  readonly lastUndelivered?: number | undefined;
  /** The numbers of failed and unknown deliveries. */
  readonly undelivered?: UndeliveredView | undefined;
  /** The newest delivery that failed in the last 24 hours; absent if its step succeeded later. */
  readonly lastFailure?: ShownDelivery | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The published version of the rules that this process runs. */
export interface RulesVersion {
  readonly number: number;
  readonly publishedAt: Date;
  /** The person or the process that published it. */
  readonly by: string;
  readonly note?: string | undefined;
  /** The earlier version that a rollback repeats. */
  readonly repeats?: number | undefined;
}

/** The pause of a rule. */
export interface PauseView {
  readonly at: Date;
  /** The operator who paused it; absent if its fuse blew. */
  readonly by?: string | undefined;
}

/** A decision of a rule. */
export interface DecisionView {
  readonly rule: string;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly item?: string | undefined;
  readonly episode?: string | undefined;
  /** The API calls it `reason`. */
  readonly message: string;
  /** The data of `message`. Not part of the API. */
  readonly reason?: Reason | undefined;
  readonly details?: JsonObject | undefined;
}

/** One step through one account, with its state. */
export interface DeliveryView {
  readonly id: string;
  readonly rule: string;
  /** The person who posted it; absent for deliveries of rules. */
  readonly by?: string | undefined;
  readonly episode: string;
  /** The id of the step, or its position in the list. */
  readonly step: string;
  /** The verb, for example `discord.send`. */
  readonly do: string;
  /** The display name of the streamer or of another item; absent if the rule fires for a whole poll or slot, and in events. */
  readonly item?: string | undefined;
  /** The text of the message or of the post; absent before the first attempt. */
  readonly text?: string | undefined;
  readonly account: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** The number of edits of the same card that this entry combines; absent for one delivery. */
  readonly edits?: number | undefined;
  /** When it is due; absent if it is not scheduled for later. */
  readonly dueAt?: Date | undefined;
  readonly sentAt?: Date | undefined;
  /** The answer of the platform. */
  readonly result?: Json | undefined;
  /** Why it failed, was skipped, or is unknown. */
  readonly error?: string | undefined;
  /** The data of `error` if Fanfare decided it. Not part of the API. */
  readonly reason?: DeliveryReason | undefined;
  /** The omitted parts, with reasons. */
  readonly omitted?: readonly Omission[] | undefined;
}

/** A change. An event without an item means that the list of its kind changed; `accounts` includes readiness. */
export type ViewEvent =
  | { readonly kind: 'delivery'; readonly item: DeliveryView }
  | { readonly kind: 'decision'; readonly item: DecisionView }
  | { readonly kind: 'live' | 'posts' | 'messages' | 'rules' | 'accounts' };

export type EventKind = ViewEvent['kind'];

/** A rule in a list of choices. */
export interface KnownRule {
  readonly id: string;
  /** The name in the file, which all instances of the rule share. */
  readonly name: string;
  readonly on: boolean;
  readonly paused: boolean;
}

/** An item with the last decision about it. */
export interface DecidedItem extends Pick<Decision, 'message' | 'reason'> {
  readonly key: string;
}

export interface RuleExplanation extends Explanation, Pick<RuleView, 'lastFailure'> {
  /** When the current quiet hours end; absent outside quiet hours. */
  readonly quietUntil?: Date | undefined;
}

/** A delivery with the position of its step. */
export interface ShownDelivery extends Delivery {
  readonly position: StepPosition;
  /** The person who posted it; absent for deliveries of rules. */
  readonly postedBy?: string | undefined;
  /** The display name of the streamer or of another item; absent if the rule fires for a whole poll or slot. */
  readonly item?: string | undefined;
  /** The name or the id of the Discord channel. */
  readonly channel?: string | undefined;
  /** The number of edits of one card, if this is the last of several. */
  readonly times?: number | undefined;
}

export interface DeliveryList {
  readonly items: readonly ShownDelivery[];
  readonly more: boolean;
}

/** The status of the running process. */
export interface Status {
  readonly accounts: readonly AccountView[];
  readonly rules: { readonly on: number; readonly paused: number; readonly broken: number; readonly version?: RulesVersion | undefined };
  readonly deliveries: { readonly open: number; readonly failed: number; readonly unknown: number };
  /** The delays of the last deliveries from slot to receipt, in milliseconds. */
  readonly lagsMs: readonly number[];
  readonly memoryBytes: number;
  /** Whether commands arrive over the gateway; false if they arrive over HTTP only. */
  readonly hasGateway: boolean;
  readonly startedAt: Date;
  readonly version: string;
}

/** Explains where a message comes from. */
export interface MessageExplanation {
  /** The deliveries that made and changed it, in order; empty if no rule wrote it or nothing is stored. */
  readonly origins: readonly MessageOrigin[];
  /** Whether the assistant wrote it. */
  readonly isAnswer: boolean;
}

/** One delivery that made or changed a message. */
export interface MessageOrigin extends Omit<Origin, 'delivery'> {
  readonly delivery: ShownDelivery;
  /** The decision; absent if it is no longer stored, or for steps in `while`. */
  readonly decision?: Decision | undefined;
  /** When its item began, if known. */
  readonly startedAt?: Date | undefined;
}

/** A metric of the running process, with one sample for each combination of labels. */
export interface Metric {
  /** As `fanfare_deliveries_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** The part of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count' | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly value: number;
}

/** The connection of the bot to Discord. */
export interface DiscordStatus {
  readonly state: 'absent' | 'connecting' | 'connected' | 'restoring' | 'failed';
  /** The error and its remedy. */
  readonly problem?: string | undefined;
  /** When the connection was lost, in milliseconds since 1970; set while it is restored. */
  readonly lostAtMs?: number | undefined;
}

/** The connection to the database. */
export interface DatabaseState {
  /** When the database answered last, by its clock, in milliseconds since 1970; absent while it answers. */
  readonly lostAtMs?: number | undefined;
  /** When the database accepted the last write, by its clock; absent while it accepts writes, or does not answer. */
  readonly blockedAtMs?: number | undefined;
  /** The code of the error, for example `ECONNREFUSED`, or what the database waits for, for example `SyncRep`. */
  readonly code?: string | undefined;
}
