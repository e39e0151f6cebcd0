import { Kysely } from 'kysely';
import type { ConversationState } from '#src/assistant/conversation-state.ts';
import type { StoredDrafts } from '#src/assistant/drafts.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { StandingMessages } from '#src/chat/chat.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { SpentSums } from '#src/operation/spending.ts';
import type { DeliveryStore } from '#src/delivery/delivery-store.ts';
import type { StoredPostDrafts, Posts } from '#src/posting/posts.ts';
import type { DeliveryLog } from '#src/delivery/delivery-log.ts';
import type { SavedViews } from '#src/queries/saved-views.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';
import type { SealedRows } from '#src/secrets/sealed-tokens.ts';
import type { WatchList } from '#src/social/providers.ts';
import { createConversationPoints } from './conversation-points.ts';
import { createAssistantDrafts } from './assistant-drafts.ts';
import { createStoredClock, type StoredClock } from './clock-set-back.ts';
import { createDecisionLog } from './decision-log.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { createEpisodeLog } from './episode-log.ts';
import { createSavedViews } from './saved-views.ts';
import { createPostDrafts, createPosts } from './posts.ts';
import { groupCommit } from './group-commit.ts';
import { createOpenAnswers } from './open-answers.ts';
import { createQuestionCounts } from './question-counts.ts';
import { createRecordedPolls, type StoredPolls } from './recorded-polls.ts';
import { createRestores, type Restores } from './restores.ts';
import { createRuleSources } from './rule-sources.ts';
import { createRuleStates } from './rule-states.ts';
import { createSealedRows } from './sealed-rows.ts';
import { createSpentSums, createStandingMessages, createStatedLimits, type StatedLimits, createWatchLists } from './account-rows.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { MEMORY, openDatabase } from './sqlite/open.ts';
import { shrinkFile } from './sqlite/shrink.ts';
import { createProcessLock, type ProcessLock } from './sqlite/process-lock.ts';
import type { Tables } from './tables.ts';
import { createPruner } from './prune.ts';
import { createTranscripts } from './transcripts.ts';

export interface StoreOptions {
  /** A file, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Runs if the file is new or has no tables. */
  readonly onEmpty?: (() => void) | undefined;
  /** Whether to look for damage in the whole file, which a command that reads few rows does not need. */
  readonly isChecked?: boolean | undefined;
}

/** The state of Fanfare that survives a restart. */
export interface Store extends ConversationState, AsyncDisposable {
  readonly ruleStates: RuleStates;
  readonly storedClock: StoredClock;
  readonly deliveries: DeliveryStore;
  /** The lock of the process that answers in Discord. */
  readonly gatewayLock: Pick<ProcessLock, 'claim'>;
  readonly decisions: DecisionLog;
  readonly deliveryLog: DeliveryLog;
  readonly episodes: EpisodeLog;
  readonly restores: Restores;
  readonly ruleSources: RuleSources;
  readonly standingMessages: StandingMessages;
  readonly transcripts: Transcripts;
  readonly assistantDrafts: StoredDrafts;
  readonly posts: Posts;
  readonly postDrafts: StoredPostDrafts;
  readonly recordedPolls: StoredPolls;
  readonly savedViews: SavedViews;
  readonly sealedRows: SealedRows;
  readonly spentSums: SpentSums;
  readonly statedLimits: StatedLimits;
  /** The rate limits of an account, by the account's name; absent if one process uses the store. */
  readonly rateBudgetsOf?: ((account: string) => RateBudgets) | undefined;
  /** The watch list of an account, by the account's name. */
  readonly watchListOf: (account: string) => WatchList;
}

/** Opens the store in one SQLite file, in its newest version. */
export async function openStore({ file = MEMORY, clock = systemClock, onEmpty, isChecked }: StoreOptions = {}): Promise<Store> {
  const database = openDatabase(file, { onEmpty, isChecked });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const write = groupCommit(db);
  const sender = createProcessLock({ file, name: 'sender', clock });
  const gatewayLock = createProcessLock({ file, name: 'answerer', clock });
  const recordedPolls = createRecordedPolls({ db, clock });
  const sealedRows = createSealedRows({ db, file, clock });
  const prune = createPruner({ db, clock, shrink: () => db.connection().execute(async () => shrinkFile(database)) });
  return {
    ruleStates: createRuleStates({ db, clock, write, prune }),
    storedClock: createStoredClock(db, clock),
    deliveries: createDeliveries(db, sender, write),
    gatewayLock,
    decisions: createDecisionLog(db),
    deliveryLog: createDeliveryLog(db),
    episodes: createEpisodeLog(db),
    restores: createRestores(db, clock),
    ruleSources: createRuleSources(db, clock),
    standingMessages: createStandingMessages(db),
    transcripts: createTranscripts(db),
    assistantDrafts: createAssistantDrafts(db, clock),
    posts: createPosts({ db, clock, prune }),
    postDrafts: createPostDrafts(db, clock),
    recordedPolls,
    questionCounts: createQuestionCounts(db),
    conversationPoints: createConversationPoints(db),
    openAnswers: createOpenAnswers(db),
    savedViews: createSavedViews(db, clock),
    sealedRows,
    spentSums: createSpentSums(db),
    statedLimits: createStatedLimits(db),
    watchListOf: createWatchLists(db),

    async [Symbol.asyncDispose]() {
      sender.close();
      gatewayLock.close();
      await sealedRows[Symbol.asyncDispose]();
      // A failed write of recordings must not fail the shutdown.
      await recordedPolls.flush().catch(() => undefined);
      await db.destroy();
    },
  };
}
