import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { CLOCK_WRONG_MS } from '#src/clients/operation/find-lost.ts';
import type { Need } from '#src/rules/needs.ts';
import type { EditedRecord } from '#src/rules/rendering/inputs.ts';
import type { Step } from '#src/rules/step.ts';
import type { Delivery, DeliveryChange, Part, Reopening } from './delivery.ts';
import type { NeedState, OpenDelivery, Position } from './ordering.ts';
import type { LaneLease } from './lane-lease.ts';
import type { DeliveryReason } from './reason.ts';
import type { DueStep } from './rendering.ts';

/** An adapter looks back as far as a clock may be wrong, and by the clock of its platform, which may differ from this machine's by as much. */
export const LOOKED_BACK_MS = 2 * CLOCK_WRONG_MS;

/** The operations after which a message, a post or an event is missing. */
export const DELETIONS: readonly string[] = ['discord.delete', 'discord.deleteEvent', 'social.deletePost'];

/** The operations that change the roles of a member. */
export const ROLE_CHANGES = ['discord.addRole', 'discord.removeRole'] as const;

/** The message, the post or the event that a step is about. */
export function targetIn({ message, post, event }: JsonObject = {}): string | undefined {
  const target = message ?? post ?? event;
  return typeof target === 'string' ? target : undefined;
}

/** The number of deliveries of a step in an episode that are searched for its last results. */
export const MOST_EARLIER = 200;

/** A delivery that another one needs or sees. */
export interface SeenDelivery extends Pick<Delivery, 'id' | 'firing' | 'step' | 'account' | 'element' | 'after'> {
  readonly state: Delivery['state'];
  /** See `Needed.waitsUntilMs`. */
  readonly waitsUntilMs?: number | undefined;
  /** The step as it was decided. */
  readonly plan: Step;
  /** The kind of its reason. */
  readonly reasonKind?: DeliveryReason['kind'] | undefined;
  readonly result?: Json | undefined;
  readonly omitted?: Delivery['omitted'];
  /** The restricted records that it is made from. */
  readonly origins?: Delivery['origins'];
}

/** A delivery that another one needs, and what for. */
export interface NeededDelivery extends SeenDelivery {
  readonly reads: boolean;
  readonly stops: boolean;
}

/** The step of a delivery, with facts of the present. */
interface StoredPlan extends Omit<DueStep, 'delivery'> {
  readonly isEpisodeOpen: boolean;
  /** The person who muted its item; absent: the item is not muted, or its episode is over. */
  readonly mutedBy?: string | undefined;
  /** Whether it needs other deliveries. */
  readonly hasNeeds: boolean;
}

/** Stored deliveries and their indexed queries. `ordering.ts` decides the order of attempts. */
export interface DeliveryRows {
  /** Resolves when no other process sends these deliveries, and keeps others from it until it is disposed of; `onWait`: another one does. */
  claim(options: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined }): Promise<Disposable>;
  /** The accounts with open deliveries. */
  accounts(): Promise<readonly string[]>;
  find(id: string): Promise<Delivery | undefined>;
  /** These deliveries, in any order. */
  load(ids: readonly string[]): Promise<readonly Delivery[]>;
  /** The deliveries of an account that were begun and have no known end, by position. */
  begun(account: string): Promise<readonly Delivery[]>;
  /**
   * Open deliveries of an account whose time has come: first those in the state `sending`, then the others by position.
   *
   * `after`: only those behind a position, without those in the state `sending`; `heldQueues`: without pending deliveries of these queues,
   * except deliveries whose time is over.
   */
  candidates(
    account: string,
    options: {
      readonly nowMs: number;
      readonly after?: Position | undefined;
      readonly heldQueues: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly OpenDelivery[]>;
  /** The deliveries in the state `pending` or `sending` before one in its queue and account, by position. */
  ahead(
    delivery: OpenDelivery,
    options: { readonly after?: Position | undefined; readonly limit: number },
  ): Promise<readonly OpenDelivery[]>;
  /** Those of these deliveries for which `ahead` is not empty. */
  behind(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** What these deliveries need. */
  needs(ids: readonly string[]): Promise<readonly NeedState[]>;
  /** What open deliveries need of those in the state `unknown` or `asked`. */
  waitingNeeds(): Promise<readonly NeedState[]>;
  /** What open deliveries need of these. */
  dependents(ids: readonly string[]): Promise<readonly Need[]>;
  /** The step of a delivery as it was decided; undefined: it is no longer stored. */
  plan(delivery: Delivery): Promise<StoredPlan | undefined>;
  /** The deliveries that one needs, by position. */
  needed(id: string): Promise<readonly NeededDelivery[]>;
  /** The deliveries of these firings, by position. */
  ofFirings(firings: readonly string[]): Promise<readonly SeenDelivery[]>;
  /** The deliveries of steps in earlier firings of `then` of an episode, step by step: see `lastOfEpisode`. */
  ofEpisode(episode: Pick<Delivery, 'rule' | 'episode'>, steps: readonly string[]): Promise<readonly SeenDelivery[]>;
  /** Whether a section of an episode has open deliveries. */
  hasOpen(section: Pick<Delivery, 'rule' | 'episode' | 'section'>): Promise<boolean>;
  /** When the next delivery of an account is due that waits for its time; undefined: there is none. */
  nextDueMs(account: string, nowMs: number): Promise<number | undefined>;
  /** Makes deliveries due at once that wait because their account was refused, of one account or of all: new credentials may be there. */
  retryRefused(options: { readonly nowMs: number; readonly account?: string | undefined }): Promise<void>;
  /** What the same step of the episode sent last, for the same element; undefined if it has to be sent even without a difference. */
  lastSent(delivery: Delivery): Promise<Pick<Delivery, 'params' | 'result'> | undefined>;
  /** The delivery of the episode that sent a message through the same account; undefined: it left parts out, or another attempt concerned the message. */
  unedited(
    delivery: Pick<Delivery, 'id' | 'rule' | 'episode' | 'account'>,
    message: string,
  ): Promise<Pick<Delivery, 'params' | 'result'> | undefined>;
  /** A record as the deliveries through the same account left it: see `EditedRecord`; undefined: none of them made or changed it. */
  edited(delivery: Pick<Delivery, 'rule' | 'episode' | 'account'>, id: string): Promise<EditedRecord | undefined>;
  /**
   * Whether an earlier delivery of the episode through the same account found this message, post or event missing, or deleted it in another
   * firing. A step that edits what its own firing deleted is a mistake in the rule, and fails.
   */
  isKnownMissing(delivery: Delivery, target: string): Promise<boolean>;
  /**
   * The role changes of open episodes about this member, about the members to whom the episode added a role, and those that the account is
   * sending, oldest first. An episode that was open when its rule was deleted is over.
   */
  roleChanges(
    delivery: Pick<Delivery, 'rule' | 'episode' | 'account'>,
    user: string,
  ): Promise<readonly Pick<Delivery, 'rule' | 'episode' | 'account' | 'do' | 'params' | 'result'>[]>;
  /** Ids of the records that other deliveries through the same account made since this one was begun, and in the two days before. */
  taken(delivery: Pick<Delivery, 'id' | 'account' | 'since'>): Promise<ReadonlySet<string>>;
  /**
   * Changes a delivery; undefined: it is no longer in the state of `delivery`, it was withdrawn and the change is a repeat (see `isRepeat`),
   * or the lane has another holder, and nothing was written.
   *
   * `parts` are stored with the change. A part that was decided before is not decided again. `evenIfWithdrawn`: a repeat is also stored.
   */
  change(
    delivery: Delivery,
    change: DeliveryChange,
    options?: {
      readonly parts?: readonly Part[] | undefined;
      readonly lease?: LaneLease | undefined;
      readonly evenIfWithdrawn?: boolean | undefined;
    },
  ): Promise<Delivery | undefined>;
  /** Changes a failed or unknown delivery, so that it is sent again; undefined: its state is another one, its rule is paused or deleted, or its item is muted. */
  reopen(delivery: Delivery, change: DeliveryChange, reopening: Reopening): Promise<Delivery | undefined>;
}
