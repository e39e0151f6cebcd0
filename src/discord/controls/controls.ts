import type { StepPlace } from '#src/app/step-name.ts';
import type { Explanation } from '#src/cli/explanation.ts';
import type { PreviewView } from '#src/cli/preview-view.ts';
import type { TestRun } from '#src/cli/rule-shelf.ts';
import type { Delivery, DeliveryState } from '#src/outbox/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Commit } from '#src/scheduler/rule-states.ts';
import type { Origin } from '#src/store/delivery-log.ts';
import type { AccountView, Listed, RuleView } from '#src/web/views.ts';

/** What the operator's commands do with the running program; the app fills it. */
export interface Controls {
  /** All rules that can run, in the order of the list: those that do first. */
  rules(): Promise<readonly KnownRule[]>;
  /** Some of them as they are shown. */
  views(ids: readonly string[]): Promise<readonly RuleView[]>;
  /** The rule files that cannot be used, and of which nothing runs. */
  broken(): readonly RuleView[];
  /** What there is to know about a rule; undefined: there is no such one. */
  explain(rule: string): Promise<RuleExplanation | undefined>;
  /** What a rule decided, newest first. */
  decisions(query: DecisionQuery): Promise<Listed<Decision>>;
  /** What the kept decisions of a rule are about: the last one about each item, the newest first. */
  items(rule: string): Promise<readonly DecidedItem[]>;
  /** Lets rules say nothing more, in the name of `by`: those that were not paused. */
  pause(rules: readonly string[], by: string): Promise<readonly string[]>;
  /** Lets rules speak again: those that were paused. */
  resume(rules: readonly string[]): Promise<readonly string[]>;
  /** Runs a rule at this moment: what was committed; undefined: it is off, or could not be run. */
  run(rule: string, signal: AbortSignal): Promise<Pick<Commit, 'decisions' | 'firings'> | undefined>;
  /** What a rule would say now of the first `items` that it sees; nothing is sent. Undefined: there is no such rule. */
  preview(rule: string, items: number): Promise<PreviewView | undefined>;
  /** Runs the tests beside the file of a rule; undefined: there is no such rule. */
  test(rule: string): Promise<TestRun | undefined>;
  /** The deliveries, those first that need somebody, then the open ones; the edits of one card are one. */
  deliveries(query: DeliveryPage): Promise<DeliveryList>;
  /** A delivery as it may be known in a server; undefined: there is none, or it is of a post that belongs to another server. */
  delivery(id: string, server: string | undefined): Promise<ShownDelivery | undefined>;
  /** Says what became of an unknown delivery; undefined: it is not unknown any more. */
  resolve(id: string, word: 'sent' | 'again'): Promise<Delivery | undefined>;
  status(): Promise<Status>;
  /** What is known of a message, by its id `channel/message` and the id of its server. */
  story(of: { readonly message: string; readonly server: string | undefined }): Promise<MessageStory>;
}

/** A rule as it can be chosen. */
export interface KnownRule {
  readonly id: string;
  /** As its author wrote it: the instances of a rule share it. */
  readonly name: string;
  readonly on: boolean;
  readonly paused: boolean;
}

/** An item and what was decided about it last. */
export interface DecidedItem extends Pick<Decision, 'reason' | 'why'> {
  readonly key: string;
}

export interface RuleExplanation extends Explanation {
  /** When the quiet hours end, where it is quiet now. */
  readonly quietUntil?: Date | undefined;
}

interface DecisionQuery {
  readonly rule: string;
  readonly item?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface DeliveryPage {
  /** Where it is read: what people of the others posted is not told there. */
  readonly server: string | undefined;
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** How many to leave out. */
  readonly offset: number;
  readonly limit: number;
}

/** A delivery with where its step stands. */
export interface ShownDelivery extends Delivery {
  readonly place: StepPlace;
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
export interface MessageStory {
  /** What made and changed it, in this order; none: no rule wrote it, or that is not known any more. */
  readonly told: readonly ToldOrigin[];
  /** Whether it is an answer of the assistant. */
  readonly isAnswer: boolean;
}

/** One delivery that made or changed a message. */
export interface ToldOrigin extends Omit<Origin, 'delivery'> {
  readonly delivery: ShownDelivery;
  /** What decided it; absent: it is not kept any more, or nothing was decided, as by `while`. */
  readonly decision?: Decision | undefined;
  /** When what it tells of began, where that is known. */
  readonly startedAt?: Date | undefined;
}
