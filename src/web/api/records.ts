import { z } from 'zod';
import { DecisionAnswer, DeliveryAnswer, ReadinessAnswer, RuleAnswer, RulesVersionAnswer } from '#src/admin/queries/answers.ts';
import { RuleDetailsAnswer } from '#src/admin/queries/rule-details.ts';
import { EpisodeAnswer } from '#src/admin/queries/episode-answer.ts';
import { ItemExplanationAnswer } from '#src/admin/queries/item-answer.ts';
import { UsageDayAnswer } from '#src/admin/queries/usage-answer.ts';
import { StatusAnswer } from '#src/admin/queries/status-answer.ts';
import { DeliveryDetailsAnswer } from '#src/admin/queries/delivery-details.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import {
  ActionAnswer,
  ChangedRules,
  PreviewAnswer,
  PublicationAnswer,
  RequestedAnnouncementAnswer,
  RuleRunAnswer,
  RuleValueAnswer,
  RuleTestAnswer,
} from '#src/admin/queries/action-answers.ts';
import { ReplayAnswer } from '#src/admin/queries/replay-answer.ts';
import { CheckAnswer } from '#src/admin/doctor/check-answer.ts';
import { AboutAnswer } from '#src/admin/queries/about-answer.ts';
import {
  AccountAnswer,
  ChannelSignInAnswer,
  ConfirmedSignInAnswer,
  NewTokenAnswer,
  PersonAnswer,
  SessionAnswer,
  SignInAnswer,
  TokenAnswer,
} from '#src/admin/queries/access-answers.ts';
import { ListAnswer, ListChangeAnswer, ListEditAnswer, ListEntryAnswer, ListSummaryAnswer } from '#src/admin/queries/list-answers.ts';
import { StreamerSearchAnswer } from '#src/admin/queries/streamer-search.ts';
import { WaitingPostAnswer } from '#src/admin/queries/waiting-post-answer.ts';
import { ServerAnswer } from '#src/admin/queries/server-answer.ts';
import { Message } from '#src/clients/chat/records.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import { Post } from '#src/clients/social/records/post.ts';
import { Stream } from '#src/clients/streaming/records.ts';

/** The answer while the process runs. */
const HealthAnswer = z.object({ ok: z.literal(true).describe('Always true.') }).meta({ examples: [{ ok: true }] });

/** The answer to a failed request. */
const ProblemAnswer = z
  .object({
    type: z.literal('about:blank').describe('Always `about:blank`: `code` names the problem.'),
    title: z.string().describe('The name of the status.'),
    status: z.int().describe('The status of the answer.'),
    code: z.string().describe('The problem, for programs. The texts can change, the codes stay.'),
    detail: z.string().describe('The mistake, and its remedy.'),
    parameter: z.string().optional().describe('The wrong query parameter.'),
    errors: z
      .array(
        z.object({
          pointer: z.string().describe('The field, as a JSON Pointer.'),
          detail: z.string().describe('What is wrong with it.'),
        }),
      )
      .optional()
      .describe('The wrong fields of the body.'),
    state: z.enum(DELIVERY_STATES).optional().describe('The state of a delivery that excludes the action.'),
    by: z.string().optional().describe('The person who paused the rule.'),
    goneAt: z.date().optional().describe('When the rule was deleted or renamed; absent if that is not known.'),
    lastRunAt: z.date().optional().describe('When the rule that is gone ran last.'),
  })
  .meta({
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        code: 'invalidParameter',
        detail: 'limit: expected a whole number from 1 to 100.',
        parameter: 'limit',
      },
    ],
  });

/** An event without data. The reader reads the list of its kind again. */
const ChangeAnswer = z.object({}).meta({ examples: [{}] });

/** The records of answers by name. */
export const RECORDS = {
  Decision: DecisionAnswer,
  Delivery: DeliveryAnswer,
  Rule: RuleAnswer,
  RulesVersion: RulesVersionAnswer,
  RuleDetails: RuleDetailsAnswer,
  Episode: EpisodeAnswer,
  DeliveryDetails: DeliveryDetailsAnswer,
  ItemExplanation: ItemExplanationAnswer,
  Diagnostic: DiagnosticAnswer,
  Stream,
  Post,
  Message,
  Readiness: ReadinessAnswer,
  Health: HealthAnswer,
  Status: StatusAnswer,
  Action: ActionAnswer,
  ChangedRules,
  RuleRun: RuleRunAnswer,
  RequestedAnnouncement: RequestedAnnouncementAnswer,
  RuleValue: RuleValueAnswer,
  RuleTest: RuleTestAnswer,
  Preview: PreviewAnswer,
  Replay: ReplayAnswer,
  Publication: PublicationAnswer,
  List: ListAnswer,
  ListSummary: ListSummaryAnswer,
  ListEntry: ListEntryAnswer,
  ListChange: ListChangeAnswer,
  ListEdit: ListEditAnswer,
  StreamerSearch: StreamerSearchAnswer,
  Server: ServerAnswer,
  WaitingPost: WaitingPostAnswer,
  Account: AccountAnswer,
  UsageDay: UsageDayAnswer,
  SignIn: SignInAnswer,
  ConfirmedSignIn: ConfirmedSignInAnswer,
  ChannelSignIn: ChannelSignInAnswer,
  Person: PersonAnswer,
  Token: TokenAnswer,
  NewToken: NewTokenAnswer,
  Session: SessionAnswer,
  About: AboutAnswer,
  Check: CheckAnswer,
  Problem: ProblemAnswer,
  Change: ChangeAnswer,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The name of a record of an answer. */
export type RecordName = keyof typeof RECORDS;

const person = { platform: 'twitch', id: '1202584', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'Ada' };

/** Examples of the records of platforms. */
export const PLATFORM_EXAMPLES: Readonly<Partial<Record<RecordName, Json>>> = {
  Stream: {
    platform: 'twitch',
    id: '40952121085',
    url: 'https://www.twitch.tv/ada',
    owner: person,
    game: { platform: 'twitch', id: '516575', name: 'VALORANT' },
    title: 'Ranked until midnight',
    viewerCount: 12_345,
    startedAt: '2026-11-20T16:25:00.000Z',
    language: 'en',
    tags: ['English'],
    fetchedAt: '2026-11-20T18:00:00.000Z',
  },
  Post: {
    platform: 'mastodon',
    id: '115581',
    url: 'https://mastodon.social/@fanfare/115581',
    author: { platform: 'mastodon', id: '7', handle: 'fanfare', displayName: 'Fanfare' },
    text: 'Ada is now #2 in VALORANT with 12.3K viewers',
    entities: [],
    createdAt: '2026-11-20T17:59:01.000Z',
    media: [],
    visibility: 'public',
    replyAudience: 'everyone',
    counts: { likes: 3, reposts: 1, replies: 0, quotes: 0 },
    fetchedAt: '2026-11-20T18:00:00.000Z',
  },
  Message: {
    platform: 'discord',
    id: '1202584131993600001/1202584131993600009',
    url: 'https://discord.com/channels/1202584131993600000/1202584131993600001/1202584131993600009',
    channel: { id: '1202584131993600001', name: 'stream-news' },
    author: { platform: 'discord', id: '1202584131993600002', handle: 'fanfare', displayName: 'Fanfare' },
    content: 'New in the top five: **Ada**',
    embeds: [],
    files: [],
    buttons: [],
    reactions: [{ emoji: '🎉', count: 2 }],
    createdAt: '2026-11-20T17:59:02.000Z',
    fetchedAt: '2026-11-20T18:00:00.000Z',
  },
};
