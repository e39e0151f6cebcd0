import { Kysely } from 'kysely';
import type { StoredDrafts } from '#src/assistant/drafts.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import type { SpentSums } from '#src/operation/spending.ts';
import type { Deliveries } from '#src/outbox/deliveries.ts';
import type { KeptDrafts, Posts } from '#src/outbox/posts.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';
import type { SealedRows } from '#src/secrets/sealed-tokens.ts';
import type { WatchList } from '#src/social/providers.ts';
import { createAnswerPlaces, type AnswerPlaces } from './answer-places.ts';
import { createAssistantDrafts } from './assistant-drafts.ts';
import { createStoredClock, type StoredClock } from './clock-set-back.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryLog, type DeliveryLog } from './delivery-log.ts';
import { createEpisodeLog, type EpisodeLog } from './episode-log.ts';
import { createKeptViews, type KeptViews } from './kept-views.ts';
import { createPostDrafts } from './post-drafts.ts';
import { createPosts } from './posts.ts';
import { createOpenAnswers, type OpenAnswers } from './open-answers.ts';
import { createQuestionCounts, type QuestionCounts } from './question-counts.ts';
import { createRecordedPolls, type StoredPolls } from './recorded-polls.ts';
import { createRestores, type Restores } from './restores.ts';
import { createRuleSources } from './rule-sources.ts';
import { createRuleStates } from './rule-states.ts';
import { createSealedRows } from './sealed-rows.ts';
import { createSpentSums } from './spent-sums.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { MEMORY, openDatabase } from './sqlite/open.ts';
import { shrinkFile } from './sqlite/shrink.ts';
import { createSoleHolder, type SoleHolder } from './sqlite/sole-holder.ts';
import { createStandingMessages } from './standing-messages.ts';
import type { Tables } from './tables.ts';
import { createStatedLimits, type StatedLimits } from './text-limits.ts';
import { createTidy } from './tidy.ts';
import { createTranscripts } from './transcripts.ts';
import { createWatchLists } from './watch-lists.ts';

export interface StoreOptions {
  /** Where it is kept, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
  /** The file is new, or nothing is kept in it. */
  readonly onEmpty?: (() => void) | undefined;
}

/** All that outlives the program. */
export interface Store extends AsyncDisposable {
  readonly ruleStates: RuleStates;
  readonly storedClock: StoredClock;
  readonly deliveries: Deliveries;
  /** Lets one process at a time answer in Discord. */
  readonly answerer: Pick<SoleHolder, 'claim'>;
  readonly decisions: DecisionLog;
  readonly deliveryLog: DeliveryLog;
  readonly episodes: EpisodeLog;
  readonly restores: Restores;
  readonly ruleSources: RuleSources;
  readonly standingMessages: StandingMessages;
  readonly transcripts: Transcripts;
  readonly assistantDrafts: StoredDrafts;
  readonly posts: Posts;
  readonly postDrafts: KeptDrafts;
  readonly recordedPolls: StoredPolls;
  readonly questionCounts: QuestionCounts;
  readonly answerPlaces: AnswerPlaces;
  readonly openAnswers: OpenAnswers;
  readonly keptViews: KeptViews;
  readonly sealedRows: SealedRows;
  readonly spentSums: SpentSums;
  readonly statedLimits: StatedLimits;
  /** Whom an account watches, by its name. */
  readonly watchListOf: (account: string) => WatchList;
}

/** The store in one SQLite file, brought to the newest version. */
export async function openStore({ file = MEMORY, clock = systemClock, onEmpty }: StoreOptions = {}): Promise<Store> {
  const database = openDatabase(file, onEmpty);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const sender = createSoleHolder({ file, as: 'sender', clock });
  const answerer = createSoleHolder({ file, as: 'answerer', clock });
  const recordedPolls = createRecordedPolls({ db, clock });
  const sealedRows = createSealedRows({ db, file, clock });
  const tidy = createTidy({ db, clock, shrink: () => db.connection().execute(async () => shrinkFile(database)) });
  return {
    ruleStates: createRuleStates({ db, clock, tidy }),
    storedClock: createStoredClock(db, clock),
    deliveries: createDeliveries(db, sender),
    answerer,
    decisions: createDecisionLog(db),
    deliveryLog: createDeliveryLog(db),
    episodes: createEpisodeLog(db),
    restores: createRestores(db, clock),
    ruleSources: createRuleSources(db, clock),
    standingMessages: createStandingMessages(db),
    transcripts: createTranscripts(db),
    assistantDrafts: createAssistantDrafts(db, clock),
    posts: createPosts({ db, clock, tidy }),
    postDrafts: createPostDrafts(db, clock),
    recordedPolls,
    questionCounts: createQuestionCounts(db),
    answerPlaces: createAnswerPlaces(db),
    openAnswers: createOpenAnswers(db),
    keptViews: createKeptViews(db, clock),
    sealedRows,
    spentSums: createSpentSums(db),
    statedLimits: createStatedLimits(db),
    watchListOf: createWatchLists(db),

    async [Symbol.asyncDispose]() {
      sender.close();
      answerer.close();
      await sealedRows[Symbol.asyncDispose]();
      // Recordings are worth no failure.
      await recordedPolls.flush().catch(() => undefined);
      await db.destroy();
    },
  };
}
