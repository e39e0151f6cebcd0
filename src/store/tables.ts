import type { Generated, GeneratedAlways } from 'kysely';
import type { DeliveryState } from '#src/outbox/delivery.ts';
import type { Outcome } from '#src/rules/decision.ts';
import type { Section } from '#src/rules/firing.ts';
import type { AssistantTables } from './assistant-tables.ts';

/** 0 is no, 1 is yes. */
export type Flag = 0 | 1;

/** Columns that end in `_ms` are milliseconds since 1970; those said to be JSON are text. */
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
}

/** Rule files as they were when they last could run. */
interface RuleSourceTable {
  file: string;
  source: string;
  saved_ms: number;
}

/** What was read, compressed. */
interface RecordedPollTable {
  seq: Generated<number>;
  /** The same for queries that can be sent as one. */
  query: string;
  slot_ms: number;
  body: Uint8Array;
}

/** Messages that are sent once by their name, and edited ever after. */
interface StandingMessageTable {
  account: string;
  name: string;
  /** `channel/message`. */
  message: string;
}

/** What buttons have no room for. */
interface KeptViewTable {
  id: string;
  command: string;
  options: string;
  made_ms: number;
}

/** Rules that a person told to say nothing. */
interface PausedRuleTable {
  rule: string;
  /** Who did, by name. */
  person: string;
  at_ms: number;
}

/** Posts of people. */
interface PostTable {
  id: string;
  /** Empty: it was made in no server. */
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
  /** When it wants to be run whatever its schedule says. */
  wake_ms: number | null;
  /** Since when there is no such rule any more. */
  retired_ms: number | null;
  /** How often the operator resumed it. */
  resumes: Generated<number>;
  /** JSON. */
  memory: string | null;
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

/** Episodes that spoke, and that nothing comes back to. */
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
  /** JSON; gone when nothing has to be rendered any more. */
  scope: string | null;
  /** JSON. */
  names: string;
}

export interface DeliveryTable {
  /** Grows with every commit. */
  seq: Generated<number>;
  id: string;
  firing: string;
  rule: string;
  episode: string;
  queue: string;
  section: Section;
  occasion: string;
  step: string;
  /** The key of the element that it is done for; empty: it is done for none. */
  element: Generated<string>;
  /** The `turn` of the delivery that it is a part of. */
  head: number | null;
  /** Deliveries of one queue go by `turn`, and those of one turn by `part`. */
  turn: GeneratedAlways<number>;
  part: Generated<number>;
  /** The part of a thread that it replies to. */
  after: string | null;
  verb: string;
  account: string;
  creates: Flag;
  afresh: Flag;
  /** The step as it was decided: JSON. */
  plan: string;
  /** The element that it is done for: JSON; gone when nothing has to be rendered any more. */
  it: string | null;
  state: DeliveryState;
  attempts: number;
  created_ms: number;
  /** The end of its wait: until then it keeps nobody from going first. */
  begins_ms: number;
  due_ms: number;
  expires_ms: number | null;
  max_age_ms: number | null;
  retry_ms: number | null;
  retry_attempts: number | null;
  /** The platform is searched for a record made since then before the first attempt. */
  search_ms: number | null;
  strict: Generated<Flag>;
  /** JSON. */
  omitted: string | null;
  since_ms: number | null;
  attempted_ms: number | null;
  lost_ms: number | null;
  give_up_ms: number | null;
  sent_ms: number | null;
  /** JSON. */
  params: string | null;
  /** JSON. */
  result: string | null;
  /** The id in the result. */
  record: string | null;
  fault: string | null;
  message: string | null;
  reason: string | null;
  /** JSON: what the reason is made from. */
  why: string | null;
}

/** What a delivery waits for. */
interface NeedTable {
  /** The one that waits. */
  delivery: string;
  /** The one it waits for. */
  needed: string;
  /** Whether it reads its result, so that `unknown` does not do. */
  reads: Flag;
  /** Whether it is not done where the other failed. */
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
  /** JSON: what the reason is made from. */
  why: string | null;
  /** JSON. */
  details: string | null;
}

/** Tokens of accounts, sealed. */
interface SealedTokenTable {
  account: string;
  sealed: string;
  saved_ms: number;
}

/** What accounts have spent, by month as `2026-11`. */
interface SpentTable {
  account: string;
  month: string;
  micro_usd: number;
}

/** What a platform bills once a day, and has given on that day, as `2026-11-20`. */
interface BilledRowTable {
  account: string;
  day: string;
  row: string;
}

/** How long a post may be on servers that stated it. */
interface TextLimitTable {
  /** Its address. */
  server: string;
  most: number;
}

/** Copies that took the place of the state. */
interface RestoredTable {
  at_ms: number;
  /** What the copy knows ends here. */
  copied_ms: number;
  /** Until then what is decided may have been sent before; null: Fanfare has not run since. */
  until_ms: number | null;
}

/** Whose new posts an account wants to see. */
interface WatchedUserTable {
  account: string;
  user: string;
  since_ms: number;
}
