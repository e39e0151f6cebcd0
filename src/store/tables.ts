import type { Generated, GeneratedAlways } from 'kysely';
import type { DeliveryState } from '#src/delivery/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Section } from '#src/rules/firing.ts';
import type { AssistantTables } from './assistant-tables.ts';

/** 0 is no, 1 is yes. */
export type Flag = 0 | 1;

/** Columns in `_ms` are milliseconds since 1970. JSON columns are text. */
export interface Tables extends AssistantTables {
  readonly rule_state: RuleStateTable;
  readonly episode: EpisodeTable;
  readonly past_episode: PastEpisodeTable;
  readonly firing: FiringTable;
  readonly delivery: DeliveryTable;
  readonly need: NeedTable;
  readonly decision: DecisionTable;
  readonly rule_source: RuleSourceTable;
  readonly recorded_poll: RecordedPollTable;
  readonly standing_message: StandingMessageTable;
  readonly post: PostTable;
  readonly post_draft: PostDraftTable;
  readonly paused_rule: PausedRuleTable;
  readonly kept_view: KeptViewTable;
  readonly sealed_token: SealedTokenTable;
  readonly spent: SpentTable;
  readonly billed_row: BilledRowTable;
  readonly watched_user: WatchedUserTable;
  readonly restored: RestoredTable;
  readonly text_limit: TextLimitTable;
  readonly sent_count: SentCountTable;
  readonly decision_count: DecisionCountTable;
}

/** Rule files in their last valid version. */
interface RuleSourceTable {
  file: string;
  source: string;
  saved_ms: number;
}

/** Compressed results of polls. */
interface RecordedPollTable {
  seq: Generated<number>;
  /** The hash of a query. Queries that can be sent as one share it. */
  query: string;
  slot_ms: number;
  body: Uint8Array;
}

/** Messages that are sent once under a name and edited from then on. */
interface StandingMessageTable {
  account: string;
  name: string;
  /** `channel/message`. */
  message: string;
}

/** Options of commands that are too long for a button. */
interface KeptViewTable {
  id: string;
  command: string;
  options: string;
  made_ms: number;
}

/** Rules that a person paused. */
interface PausedRuleTable {
  rule: string;
  /** The name of the person. */
  person: string;
  at_ms: number;
}

/** Posts of people. */
interface PostTable {
  id: string;
  /** Empty for a post outside a server. */
  server: string;
  by_id: string;
  by_name: string;
  /** JSON. */
  body: string;
  at_ms: number;
  queued: Flag;
  made_ms: number;
  cancelled_by: string | null;
}

interface PostDraftTable {
  id: string;
  owner: string;
  /** JSON. */
  body: string;
  kept_ms: number;
}

interface RuleStateTable {
  rule: string;
  /** The last slot that was committed. */
  slot_ms: number;
  /** When the rule asks to run, whatever its schedule. */
  wake_ms: number | null;
  /** When the rule was deleted. */
  retired_ms: number | null;
  /** How often an operator resumed the rule. */
  resumes: Generated<number>;
  /** JSON. */
  memory: string | null;
  last_poll_ms: GeneratedAlways<number | null>;
  blown_ms: GeneratedAlways<number | null>;
  /** JSON. */
  clock_set_back: GeneratedAlways<string | null>;
}

interface EpisodeTable {
  rule: string;
  id: string;
  /** JSON. */
  body: string;
  started_ms: GeneratedAlways<number>;
  opened_ms: GeneratedAlways<number | null>;
  closed_ms: GeneratedAlways<number | null>;
}

/** Announced episodes that ended for good. */
interface PastEpisodeTable {
  rule: string;
  id: string;
  started_ms: number;
  closed_ms: number;
  /** JSON. */
  body: string;
}

interface FiringTable {
  id: string;
  rule: string;
  episode: string;
  section: Section;
  at_ms: number;
  /** JSON; null when all steps are rendered. */
  scope: string | null;
  /** JSON. */
  names: string;
}

export interface DeliveryTable {
  /** Increases with every delivery. */
  seq: Generated<number>;
  id: string;
  firing: string;
  rule: string;
  episode: string;
  queue: string;
  section: Section;
  occasion: string;
  step: string;
  /** The key of its `forEach` element; empty without one. */
  element: Generated<string>;
  /** The `turn` of the delivery that it is a part of. */
  head: number | null;
  /** Deliveries of a queue are in the order of `turn`, and then of `part`. */
  turn: GeneratedAlways<number>;
  part: Generated<number>;
  /** The part of a thread that it replies to. */
  after: string | null;
  verb: string;
  account: string;
  creates: Flag;
  afresh: Flag;
  /** The step at the time of the decision: JSON. */
  plan: string;
  /** Its `forEach` element: JSON; null when all steps are rendered. */
  it: string | null;
  state: DeliveryState;
  attempts: number;
  created_ms: number;
  /** The end of its wait. Before that, it delays no other delivery. */
  begins_ms: number;
  due_ms: number;
  expires_ms: number | null;
  /** Why it is not attempted again: JSON. */
  withdrawn: string | null;
  /** By whom it was sent again: JSON. */
  resends: string | null;
  /** The names for the expressions of a step that was sent again: JSON; null: those of the firing. */
  names: string | null;
  max_age_ms: number | null;
  answer_within_ms: number | null;
  retry_ms: number | null;
  retry_attempts: number | null;
  /** Before the first attempt, Fanfare searches for a record that was created since this instant. */
  search_ms: number | null;
  strict: Generated<Flag>;
  /** JSON. */
  omitted: string | null;
  /** JSON. */
  origins: string | null;
  since_ms: number | null;
  attempted_ms: number | null;
  lost_ms: number | null;
  give_up_ms: number | null;
  sent_ms: number | null;
  settled_ms: number | null;
  /** JSON. */
  params: string | null;
  params_message: GeneratedAlways<string | null>;
  /** JSON. */
  result: string | null;
  /** The id of the resulting record. */
  record: string | null;
  fault: string | null;
  message: string | null;
  reason: string | null;
  /** The data of the reason: JSON. */
  why: string | null;
}

/** Dependencies between deliveries. */
interface NeedTable {
  /** The waiting delivery. */
  delivery: string;
  /** The delivery that it waits for. */
  needed: string;
  /** Whether it reads the result, so that it also waits while the outcome is unknown. */
  reads: Flag;
  /** Whether it is skipped if the other fails. */
  stops: Flag;
}

interface DecisionTable {
  seq: Generated<number>;
  rule: string;
  at_ms: number;
  outcome: Outcome;
  item: string | null;
  episode: string | null;
  reason: string;
  /** The data of the reason: JSON. */
  why: string | null;
  /** JSON. */
  details: string | null;
}

/** The number of deliveries in the state `sent`: the sum of the rows. Triggers update it. */
interface SentCountTable {
  count: number;
}

/** The number of stored decisions. Triggers update it. */
interface DecisionCountTable {
  rule: string;
  outcome: Outcome;
  count: number;
}

/** Sealed tokens of accounts. */
interface SealedTokenTable {
  account: string;
  sealed: string;
  saved_ms: number;
}

/** Spending of accounts by month, as `2026-11`. */
interface SpentTable {
  account: string;
  month: string;
  micro_usd: number;
}

/** Rows that a platform has billed on a day, as `2026-11-20`. */
interface BilledRowTable {
  account: string;
  day: string;
  row: string;
}

/** The length limits of posts that servers stated. */
interface TextLimitTable {
  /** The server's address. */
  server: string;
  most: number;
}

/** Restores of the state from a copy. */
interface RestoredTable {
  at_ms: number;
  /** The last instant that the copy knows. */
  copied_ms: number;
  /** Until then, a decision may repeat a sent one; null before the first start. */
  until_ms: number | null;
}

/** The users whose posts an account watches. */
interface WatchedUserTable {
  account: string;
  user: string;
  since_ms: number;
}
