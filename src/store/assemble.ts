import type { Kysely } from 'kysely';
import type { Clock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import type { ConversationState } from '#src/clients/assistant/conversation-state.ts';
import type { StoredDrafts } from '#src/clients/assistant/drafts.ts';
import type { Transcripts } from '#src/clients/assistant/transcript.ts';
import type { ReceivedWebhooks } from '#src/engine/scheduler/received-webhooks.ts';
import type { CommandUses, MemberStates, StandingMessages } from '#src/clients/chat/chat.ts';
import type { StatusStore } from '#src/clients/chat/wanted-status.ts';
import type { ShardTable } from '#src/discord/gateway/shard-leases.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import type { SharedPictures } from '#src/engine/posting/pictures.ts';
import type { SpentSums } from '#src/clients/operation/spending.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { StoredPostDrafts, Posts } from '#src/engine/posting/posts.ts';
import type { SourceStore } from '#src/engine/lists/list-sources.ts';
import type { OutageStore } from '#src/engine/outages.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { SentLog } from '#src/clients/history/delivery-log.ts';
import type { AccessStore } from '#src/admin/access/access-store.ts';
import type { UsageStore } from '#src/admin/queries/usage-store.ts';
import type { AuditLog } from '#src/admin/actions/audit-log.ts';
import type { ListStore } from '#src/admin/actions/list-store.ts';
import type { RepeatedRequests } from '#src/admin/actions/repeated-requests.ts';
import type { NoticeStore, ServerStore } from '#src/admin/servers/server-store.ts';
import type { ItemNames } from '#src/admin/queries/item-sightings.ts';
import type { SavedViews } from '#src/admin/queries/saved-views.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import type { RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { SealedRows } from '#src/http/secrets/sealed-tokens.ts';
import type { NotificationSubscriptions } from '#src/clients/operation/notification-request.ts';
import type { NotifierStore } from '#src/clients/operation/notifier.ts';
import type { WatchList } from '#src/clients/social/providers.ts';
import { createAuditLog } from './audit-log.ts';
import { createConversationPoints } from './conversation-points.ts';
import { createAssistantDrafts } from './assistant-drafts.ts';
import { createStoredClock, type StoredClock } from './clock-set-back.ts';
import { createDecisionLog } from './decision-log.ts';
import { createDeliveries } from './deliveries.ts';
import { createCommandUses } from './command-uses.ts';
import { createReceivedWebhooks } from './received-webhooks.ts';
import { createMemberStates } from './member-states.ts';
import { createNotificationSubscriptions } from './notification-subscriptions.ts';
import { createNotifiers } from './notifiers.ts';
import { createNoticeStore, createServerStore } from './discord-servers.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { createEpisodeLog } from './episode-log.ts';
import { createItemNames } from './item-names.ts';
import { createSentLog } from './sent-log.ts';
import { createSavedViews } from './saved-views.ts';
import { createOutages } from './outages.ts';
import { createPostDrafts } from './post-drafts.ts';
import { createPosts } from './posts.ts';
import { createLists } from './lists.ts';
import { createSourceStore } from './list-sources.ts';
import { createOpenAnswers } from './open-answers.ts';
import { createQuestionCounts } from './question-counts.ts';
import { createRecordedPolls, type StoredPolls } from './recorded-polls.ts';
import { createRepeatedRequests } from './repeated-requests.ts';
import type { Generation } from './sqlite/generation.ts';
import { createEnvironments, type Environments } from './environment.ts';
import { createRestores, type Restores } from './restores.ts';
import { createUsageStore } from './account-usage.ts';
import { createRuleSources } from './rule-sources.ts';
import { createRuleStates } from './rule-states.ts';
import { createSealedRows } from './sealed-rows.ts';
import {
  createBotStatus,
  createSpentSums,
  createStandingMessages,
  createStatedLimits,
  type StatedLimits,
  createWatchLists,
} from './account-rows.ts';
import type { LaneJobs } from './lane-jobs.ts';
import type { Tables } from './tables.ts';
import { createTotalsLog, type StoredTotals } from './totals-log.ts';
import { createTranscripts } from './transcripts.ts';
import type { CreateLock, ProcessLock } from './process-lock.ts';
import type { Write } from './group-commit.ts';

/** The state of Fanfare that survives a restart. */
export interface Store extends ConversationState, AsyncDisposable {
  /** The clock of the state. With PostgreSQL, it is that of the database, because the machines may have different times. */
  readonly clock: Clock;
  readonly ruleStates: RuleStates;
  readonly storedClock: StoredClock;
  readonly deliveries: DeliveryStore;
  /** The lock of the process that answers in Discord. */
  readonly gatewayLock: Pick<ProcessLock, 'claim'>;
  /** The people, sessions and tokens, which an installation on the loopback does not load. */
  readonly openAccess: () => Promise<AccessStore>;
  readonly auditLog: AuditLog;
  readonly repeatedRequests: RepeatedRequests;
  /** Living lists. */
  readonly lists: ListStore;
  /** The people of the sources of list files. */
  readonly listSources: SourceStore;
  readonly decisions: DecisionLog;
  readonly deliveryLog: DeliveryLog;
  /** The deliveries that rules read. */
  readonly sentLog: SentLog;
  readonly episodes: EpisodeLog;
  readonly itemNames: ItemNames;
  readonly outages: OutageStore;
  readonly totals: StoredTotals;
  readonly restores: Restores;
  readonly environments: Environments;
  /** Notices that an older copy replaced the state; absent if the state is in memory or in PostgreSQL. */
  readonly generation?: Generation | undefined;
  readonly ruleSources: RuleSources;
  /** The published rules; absent if one process uses the store. */
  readonly ruleVersions?: RuleVersions | undefined;
  readonly standingMessages: StandingMessages;
  readonly commandUses: CommandUses;
  /** The webhooks that rules processed. */
  readonly receivedWebhooks: ReceivedWebhooks;
  readonly botStatus: StatusStore;
  readonly memberStates: MemberStates;
  /** The connections over which platforms notify about changes. */
  readonly notifiers: NotifierStore;
  /** The subscriptions of an account to notifications over the public address, by the account's name. */
  readonly subscriptionsOf: (account: string) => NotificationSubscriptions;
  readonly transcripts: Transcripts;
  readonly assistantDrafts: StoredDrafts;
  readonly posts: Posts;
  readonly postDrafts: StoredPostDrafts;
  readonly recordedPolls: StoredPolls;
  readonly savedViews: SavedViews;
  /** The Discord servers of the bot, and the messages to them that Fanfare keeps up to date. */
  readonly servers: ServerStore;
  readonly notices: NoticeStore;
  readonly sealedRows: SealedRows;
  readonly spentSums: SpentSums;
  readonly accountUsage: UsageStore;
  readonly statedLimits: StatedLimits;
  /** The rate limits of an account, by the account's name; absent if one process uses the store. */
  readonly rateBudgetsOf?: ((account: string) => RateBudgets) | undefined;
  /** What several processes of one bot share; absent if one process uses the store. */
  readonly discord?: { readonly shards: ShardTable; readonly handled: HandledEvents } | undefined;
  /** The names of the running processes with another key than the one with this fingerprint; absent if one process uses the store. */
  readonly workersWithOtherKey?: ((keyFingerprint: string | undefined) => Promise<readonly string[]>) | undefined;
  /** The pictures of posts; absent if one machine uses the store. */
  readonly pictures?: SharedPictures | undefined;
  /** The watch list of an account, by the account's name. */
  readonly watchListOf: (account: string) => WatchList;
}

/** The parts of a store that depend on its database. */
export interface StoreParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly write: Write;
  /** Deletes old rows. Runs before each commit. */
  readonly prune: () => Promise<void>;
  readonly laneJobs?: LaneJobs | undefined;
  /** Removes deleted rows from the files of the database; absent if the database is on a server. */
  readonly eraseDeleted?: (() => Promise<void>) | undefined;
  /** Creates the lock with a name. */
  readonly createLock: CreateLock;
}

const loadAccess = lateModule('the sign-in', () => import('./access.ts'));

/** Assembles a store. Its disposal closes the database. */
export function assembleStore({ db, clock, write, prune, laneJobs, eraseDeleted, createLock }: StoreParts): Store {
  const sender = createLock('sender');
  const gatewayLock = createLock('answerer');
  const recordedPolls = createRecordedPolls({ db, clock, write });
  const sealedRows = createSealedRows({ db, clock, createLock });
  const notifiers = createNotifiers({ db, createLock });
  return {
    clock,
    ruleStates: createRuleStates({ db, clock, write, prune, laneJobs }),
    storedClock: createStoredClock(db, clock),
    deliveries: createDeliveries({ db, sender, write, laneJobs }),
    gatewayLock,
    openAccess: async () => (await loadAccess()).createAccessStore(db, clock),
    auditLog: createAuditLog(db, clock),
    repeatedRequests: createRepeatedRequests(db, clock),
    lists: createLists(db, clock),
    listSources: createSourceStore(db, clock),
    decisions: createDecisionLog(db),
    deliveryLog: createDeliveryLog(db),
    sentLog: createSentLog(db),
    outages: createOutages(db),
    totals: createTotalsLog(db, clock),
    episodes: createEpisodeLog(db),
    itemNames: createItemNames(db),
    restores: createRestores(db, clock),
    environments: createEnvironments(db),
    ruleSources: createRuleSources(db, clock),
    standingMessages: createStandingMessages(db),
    commandUses: createCommandUses(db, clock),
    receivedWebhooks: createReceivedWebhooks(db),
    botStatus: createBotStatus(createStandingMessages(db)),
    memberStates: createMemberStates(db, clock),
    notifiers,
    subscriptionsOf: createNotificationSubscriptions(db),
    transcripts: createTranscripts(db),
    assistantDrafts: createAssistantDrafts(db, clock),
    posts: createPosts({ db, clock, prune, laneJobs }),
    postDrafts: createPostDrafts(db, clock),
    recordedPolls,
    questionCounts: createQuestionCounts(db),
    conversationPoints: createConversationPoints(db, eraseDeleted),
    openAnswers: createOpenAnswers(db),
    savedViews: createSavedViews(db, clock),
    servers: createServerStore(db, clock),
    notices: createNoticeStore(db, clock),
    sealedRows,
    spentSums: createSpentSums(db),
    accountUsage: createUsageStore(db),
    statedLimits: createStatedLimits(db),
    watchListOf: createWatchLists(db),

    async [Symbol.asyncDispose]() {
      sender.close();
      gatewayLock.close();
      notifiers[Symbol.dispose]();
      await sealedRows[Symbol.asyncDispose]();
      // A failed write of recordings must not fail the shutdown.
      await recordedPolls.flush().catch(() => undefined);
      await db.destroy();
    },
  };
}
