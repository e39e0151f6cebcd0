import { Kysely } from 'kysely';
import type { Transcripts } from '#src/assistant/transcript.ts';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Deliveries } from '#src/outbox/deliveries.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleStates } from '#src/scheduler/rule-states.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryLog, type DeliveryLog } from './delivery-log.ts';
import { createEpisodeLog, type EpisodeLog } from './episode-log.ts';
import { createRecordedPolls, type StoredPolls } from './recorded-polls.ts';
import { createRuleSources } from './rule-sources.ts';
import { createRuleStates } from './rule-states.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { MEMORY, openDatabase } from './sqlite/open.ts';
import { createSoleSender } from './sqlite/sole-sender.ts';
import { createStandingMessages } from './standing-messages.ts';
import type { Tables } from './tables.ts';
import { createTidy } from './tidy.ts';
import { createTranscripts } from './transcripts.ts';

export interface StoreOptions {
  /** Where it is kept, or `:memory:`. */
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** All that outlives the program. */
export interface Store extends AsyncDisposable {
  readonly ruleStates: RuleStates;
  readonly deliveries: Deliveries;
  readonly decisions: DecisionLog;
  readonly deliveryLog: DeliveryLog;
  readonly episodes: EpisodeLog;
  readonly ruleSources: RuleSources;
  readonly standingMessages: StandingMessages;
  readonly transcripts: Transcripts;
  readonly recordedPolls: StoredPolls;
}

/** The store in one SQLite file, brought to the newest version. */
export async function openStore({ file = MEMORY, clock = systemClock }: StoreOptions = {}): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(openDatabase(file)) });
  const sender = createSoleSender({ file, clock });
  const recordedPolls = createRecordedPolls({ db, clock });
  return {
    ruleStates: createRuleStates({ db, clock, tidy: createTidy(db, clock) }),
    deliveries: createDeliveries(db, sender),
    decisions: createDecisionLog(db),
    deliveryLog: createDeliveryLog(db),
    episodes: createEpisodeLog(db),
    ruleSources: createRuleSources(db, clock),
    standingMessages: createStandingMessages(db),
    transcripts: createTranscripts(db),
    recordedPolls,

    async [Symbol.asyncDispose]() {
      sender.close();
      // Recordings are worth no failure.
      await recordedPolls.flush().catch(() => undefined);
      await db.destroy();
    },
  };
}
