import type { Generated, GeneratedAlways } from 'kysely';
import type { Outcome } from '#src/rules/decision.ts';
import type { AssistantTables } from './assistant-tables.ts';
import type { DeliveryTable, FiringTable, Flag, NeedTable } from './delivery-tables.ts';

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

/** Spending of accounts by month, for example `2026-11`. */
interface SpentTable {
  account: string;
  month: string;
  micro_usd: number;
}

/** Rows that a platform has billed on a day, for example `2026-11-20`. */
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
