import type { Message } from '#src/chat/records.ts';
import type { Fault } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Omission } from '#src/operation/part.ts';
import type { DeliveryState } from '#src/outbox/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Problem } from '#src/rules/problem.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import type { Post } from '#src/social/records/post.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { Metric } from './exposition.ts';

/** What the HTTP API and the page read; nothing here changes anything. */
export interface Views {
  ready(): Readiness;
  accounts(): readonly AccountView[];
  /** The most watched streams, most watched first. */
  live(): Promise<readonly Stream[]>;
  /** The social timeline, newest first. */
  posts(): Promise<readonly Post[]>;
  /** The last messages of the channels that rules write to, newest first. */
  messages(): Promise<readonly Message[]>;
  rules(): Promise<readonly RuleView[]>;
  /** Newest first. A cursor that is not one of its own is a `CursorError`. */
  decisions(query: DecisionQuery): Promise<Listed<DecisionView>>;
  /** Newest first. A cursor that is not one of its own is a `CursorError`. */
  deliveries(query: DeliveryQuery): Promise<Listed<DeliveryView>>;
  /** For the page: unknown ones, then those that failed lately, then the newest; the edits of a card are one. */
  latestDeliveries(limit: number): Promise<readonly DeliveryView[]>;
  /** How many deliveries did not arrive. */
  undelivered(): Promise<UndeliveredView>;
  metrics(): Promise<readonly Metric[]>;
  /** Tells of each change until the function that it gives is called. */
  subscribe(listener: (event: ViewEvent) => void): () => void;
}

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
  readonly problems: readonly Problem[];
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
  readonly reason: string;
  /** What the reason is made from, for other languages; it is no part of the API. */
  readonly why?: Reason | undefined;
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
  /** The parts that it was sent without, and why. */
  readonly omitted?: readonly Omission[] | undefined;
}

interface Slice {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface DecisionQuery extends Slice {
  readonly rule?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

export interface DeliveryQuery extends Slice {
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
}

/** A part of a list; the cursor, where there is more, leads to the next. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly cursor?: string | undefined;
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
