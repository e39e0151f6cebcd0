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
  /** In the last 24 hours. */
  readonly failed: number;
  /** Of any age: each waits for the operator. */
  readonly unknown: number;
}

export interface Readiness {
  readonly ready: boolean;
  /** What it waits for, or what is wrong. */
  readonly why?: string | undefined;
}

/** An account that Fanfare uses, and how it is. */
export interface AccountView {
  readonly name: string;
  readonly platform: string;
  readonly role: 'streaming' | 'social' | 'chat' | 'assistant';
  /** Whether the sandbox plays it. */
  readonly sandbox: boolean;
  readonly state: 'connected' | 'connecting' | 'failed';
  /** What is wrong, and what would cure it. */
  readonly problem?: string | undefined;
  /** Whose fault that is, where its platform said so. */
  readonly fault?: Fault | undefined;
}

/** A rule, or a rule file that could not be used. */
export interface RuleView {
  /** The rule's id; of a file that could not be read, the file's name. */
  readonly id: string;
  readonly about?: string | undefined;
  readonly file: string;
  /** What its author wrote. */
  readonly enabled: boolean | 'sandbox';
  /** Whether it runs; one with errors may still run as it was before them. */
  readonly on: boolean;
  /** It runs, and says nothing before the operator resumes it. */
  readonly paused?: PauseView | undefined;
  /** In words, as `every 10s`. */
  readonly schedule?: string | undefined;
  readonly nextRunAt?: Date | undefined;
  readonly lastDecision?: DecisionView | undefined;
  /** How many deliveries of the last decision failed or are unknown. */
  readonly lastUndelivered?: number | undefined;
  /** How many of its deliveries did not arrive. */
  readonly undelivered?: UndeliveredView | undefined;
  readonly problems: readonly Diagnostic[];
}

/** Since when a rule says nothing. */
export interface PauseView {
  readonly at: Date;
  /** Who paused it; absent: its fuse blew. */
  readonly by?: string | undefined;
}

/** What a rule decided, and why. */
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

/** One step through one account, and how far it is. */
export interface DeliveryView {
  readonly id: string;
  readonly rule: string;
  /** The person who posted it; absent: a rule did. */
  readonly by?: string | undefined;
  readonly episode: string;
  /** Its name, or its place in the list. */
  readonly step: string;
  /** The verb, as `discord.send`. */
  readonly do: string;
  readonly account: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** How many edits of the same card it stands for; absent: it stands for itself. */
  readonly edits?: number | undefined;
  /** When its time comes; absent: that is not to come. */
  readonly dueAt?: Date | undefined;
  readonly sentAt?: Date | undefined;
  /** What the platform answered. */
  readonly result?: Json | undefined;
  /** Why it failed or was skipped, or why nobody knows. */
  readonly error?: string | undefined;
  /** The data of `error` if Fanfare decided it. Not part of the API. */
  readonly reason?: DeliveryReason | undefined;
  /** The parts that it was sent without, and why. */
  readonly omitted?: readonly Omission[] | undefined;
}

/**
 * Something changed. Where no item is named, the whole of its kind is to be read again;
 * `accounts` stands for readiness, too.
 */
export type ViewEvent =
  | { readonly kind: 'delivery'; readonly item: DeliveryView }
  | { readonly kind: 'decision'; readonly item: DecisionView }
  | { readonly kind: 'live' | 'posts' | 'messages' | 'rules' | 'accounts' };

export type EventKind = ViewEvent['kind'];

/** A rule as it can be chosen. */
export interface KnownRule {
  readonly id: string;
  /** As its author wrote it: the instances of a rule share it. */
  readonly name: string;
  readonly on: boolean;
  readonly paused: boolean;
}

/** An item and what was decided about it last. */
export interface DecidedItem extends Pick<Decision, 'message' | 'reason'> {
  readonly key: string;
}

export interface RuleExplanation extends Explanation {
  /** When the quiet hours end, where it is quiet now. */
  readonly quietUntil?: Date | undefined;
}

/** A delivery with where its step stands. */
export interface ShownDelivery extends Delivery {
  readonly position: StepPosition;
  /** Who had it posted, where no rule did. */
  readonly postedBy?: string | undefined;
  /** How many kept edits of one card it stands for, where it is the last of several. */
  readonly times?: number | undefined;
}

export interface DeliveryList {
  readonly items: readonly ShownDelivery[];
  readonly more: boolean;
}

/** How the program is. */
export interface Status {
  readonly accounts: readonly AccountView[];
  readonly rules: { readonly on: number; readonly paused: number; readonly broken: number };
  readonly deliveries: { readonly open: number; readonly failed: number; readonly unknown: number };
  /** How long the last deliveries took from the slot until they were there, in milliseconds. */
  readonly lagsMs: readonly number[];
  readonly memoryBytes: number;
  /** Whether commands come over the gateway, or over HTTP alone. */
  readonly hasGateway: boolean;
  readonly startedAt: Date;
  readonly version: string;
}

/** What is known of a message. */
export interface MessageExplanation {
  /** What made and changed it, in this order; none: no rule wrote it, or that is not known any more. */
  readonly origins: readonly MessageOrigin[];
  /** Whether it is an answer of the assistant. */
  readonly isAnswer: boolean;
}

/** One delivery that made or changed a message. */
export interface MessageOrigin extends Omit<Origin, 'delivery'> {
  readonly delivery: ShownDelivery;
  /** What decided it; absent: it is not kept any more, or nothing was decided, as by `while`. */
  readonly decision?: Decision | undefined;
  /** When what it tells of began, where that is known. */
  readonly startedAt?: Date | undefined;
}

/** A figure about the running process, with one sample for each combination of labels. */
export interface Metric {
  /** As `fanfare_deliveries_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
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
