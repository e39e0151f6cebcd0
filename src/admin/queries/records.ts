import type { Fault } from '#src/errors.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { Origin } from '#src/engine/delivery/delivery-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { StepPosition } from '#src/rules/step-name.ts';
import type { z } from 'zod';
import type { DecisionView, DeliveryView, RuleAnswer, RulesVersion } from './answers.ts';
import type { Explanation } from './explanation.ts';
import type { SettledDecision } from './settled-decisions.ts';

export type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
export type { DecisionView, DeliveryView, PauseView, PlannedPauseView, Readiness, RulesVersion, UndeliveredView } from './answers.ts';
export type { Listing } from '#src/clients/operation/listing.ts';

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
export interface RuleView extends Omit<z.output<typeof RuleAnswer>, 'lastDecision' | 'lastFailure'> {
  readonly lastDecision?: SettledDecision | undefined;
  /** The newest delivery that failed in the last 24 hours; absent if its step succeeded later. */
  readonly lastFailure?: ShownDelivery | undefined;
}

/** A change. An event without an item means that the list of its kind changed; `accounts` includes readiness. */
export type ViewEvent =
  | { readonly kind: 'delivery'; readonly item: DeliveryView }
  | { readonly kind: 'decision'; readonly item: DecisionView }
  | { readonly kind: 'live' | 'posts' | 'messages' | 'rules' | 'accounts' | 'lists' | 'actions' | 'reset' };

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
export interface DecidedItem extends Pick<Decision, 'atMs' | 'outcome' | 'message' | 'reason'> {
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
  /** The name or the id of the Discord channel. */
  readonly channel?: string | undefined;
  /** The number of edits of one card, if this is the last of several. */
  readonly times?: number | undefined;
  /** Whether it is an open question, or an announcement that was not sent, about a stream that is over. */
  readonly isOver?: boolean | undefined;
}

export interface DeliveryList {
  readonly items: readonly ShownDelivery[];
  readonly more: boolean;
}

/** A webhook of `fanfare.yaml` whose receiver has not accepted an event. */
export interface LateWebhook {
  readonly webhook: string;
  /** When the oldest of these events happened. */
  readonly since: Date;
  /** Whether it has deleted the webhook (HTTP 410), so that it gets no events until the next start. */
  readonly isGone: boolean;
}

/** The status of the running process. */
export interface Status {
  readonly accounts: readonly AccountView[];
  readonly lateWebhooks: readonly LateWebhook[];
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
  /** The decision; absent if it is no longer stored, or for steps in `while` without `every`. */
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

/** A metric without its values. */
export interface MetricDeclaration extends Omit<Metric, 'samples' | 'name'> {
  /** The unit of the value. */
  readonly unit: string;
  /** The labels by name, with their values. */
  readonly labels: Readonly<Record<string, string>>;
  /** How to read it, beyond `help`. */
  readonly meaning: string;
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
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
