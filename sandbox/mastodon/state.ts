import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { SandboxContext } from '../context.ts';
import { scopedJournal } from '../journal.ts';
import { createSocialCore, type SocialCore } from '../social/core.ts';
import { openingMessages } from '../social/messaging/mailbox.ts';
import { SELF } from '../social/people.ts';
import type { StoredPost } from '../social/posts.ts';
import { StoredMap } from '../stored-map.ts';
import { type Pictures, pictureAddresses } from '../twitch/pictures.ts';
import { OAuth } from './oauth.ts';
import { toDirectPost } from './direct-posts.ts';
import { Duplicates } from './duplicates.ts';
import { Ids } from './ids.ts';
import { RateLimit } from './rate-limit.ts';
import { Settings } from './settings.ts';

export const NAME = 'mastodon';

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
export type Visibility = (typeof visibilities)[number];
export const quotePolicies = ['public', 'followers', 'nobody'] as const;
export type QuotePolicy = (typeof quotePolicies)[number];
export const repliesPolicies = ['followed', 'list', 'none'] as const;

const ContentWarning = z.object({ spoilerText: z.string(), sensitive: z.boolean() });

const StatusFacts = ContentWarning.extend({
  postId: z.string(),
  visibility: z.enum(visibilities),
  quotePolicy: z.enum(quotePolicies),
  application: z.object({ name: z.string(), website: z.string().optional() }),
  hideTotals: z.boolean(),
  /** The warning before each edit, oldest first. */
  earlier: z.array(ContentWarning),
});
/** The facts of a status that other platforms do not have. */
export type StatusFacts = Readonly<z.output<typeof StatusFacts>>;

const FileFacts = z.object({
  uploadId: z.string(),
  createdAtMs: z.number(),
  description: z.string().optional(),
  /** The status that contains the file. */
  attachedTo: z.string().optional(),
});
/** The facts of an uploaded file that other platforms do not have. */
export type FileFacts = Readonly<z.output<typeof FileFacts>>;

const ListFacts = z.object({ listId: z.string(), title: z.string(), repliesPolicy: z.enum(repliesPolicies), exclusive: z.boolean() });
/** The facts of a list that other platforms do not have. */
export type ListFacts = Readonly<z.output<typeof ListFacts>>;

export const PollDraft = z.object({
  options: z.array(z.string()),
  expiresInSeconds: z.int(),
  multiple: z.boolean(),
  hideTotals: z.boolean(),
});
export type PollDraft = Readonly<z.output<typeof PollDraft>>;

const StatusDraft = z.object({
  authorId: z.string(),
  text: z.string(),
  spoilerText: z.string(),
  sensitive: z.boolean(),
  visibility: z.enum(visibilities),
  language: z.string(),
  uploadIds: z.array(z.string()),
  poll: PollDraft.optional(),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  quotePolicy: z.enum(quotePolicies),
  application: z.object({ id: z.string().optional(), name: z.string(), website: z.string().optional() }),
});
/** A checked status that has no id yet. Posts and uploads have the names of the world. */
export type StatusDraft = Readonly<z.output<typeof StatusDraft>>;

const ScheduledStatus = z.object({
  number: z.int(),
  draft: StatusDraft,
  writtenAtMs: z.number(),
  dueAtMs: z.number(),
  key: z.string().optional(),
  /** Whether it was published or cancelled. */
  isDone: z.boolean(),
});
/** A status that the server publishes later. Done ones stay, so that their keys stay known. */
export type ScheduledStatus = Readonly<z.output<typeof ScheduledStatus>>;

const FollowedAt = z.object({ userId: z.string(), target: z.string(), atMs: z.number() });

/** The state of the server. */
export interface MastodonState {
  readonly core: SocialCore;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly ids: Ids;
  readonly oauth: OAuth;
  readonly rateLimit: RateLimit;
  readonly duplicates: Duplicates;
  readonly statuses: StoredMap<StatusFacts>;
  readonly files: StoredMap<FileFacts>;
  readonly lists: StoredMap<ListFacts>;
  readonly scheduled: StoredMap<ScheduledStatus>;
  /** The follows that came through the API, for notifications. */
  readonly follows: StoredMap<z.output<typeof FollowedAt>>;
  /** The direct posts that people sent to the account before the sandbox started. */
  readonly openings: readonly StoredPost[];
  readonly pictures: Pictures;
  /** The address of the server, such as `http://127.0.0.1:8081/mastodon`. */
  readonly home: string;
}

/** The state of the server in a sandbox. Everything that is written to it is in the journal. */
export function createState(context: SandboxContext): MastodonState {
  const { clock, url } = context;
  const journal = scopedJournal(context.journal, NAME);
  const core = createSocialCore({ name: NAME, context: { ...context, journal } });
  const settings = new Settings();
  const home = (): string => `${url()}/${NAME}`;
  return {
    core,
    clock,
    settings,
    ids: new Ids(core.people, () => settings.features.idFormat),
    oauth: new OAuth(journal, clock),
    rateLimit: new RateLimit(() => settings.current.requestLimit),
    duplicates: new Duplicates(),
    statuses: new StoredMap({ journal, collection: 'mastodon.statuses', schema: StatusFacts, keyOf: ({ postId }) => postId }),
    files: new StoredMap({ journal, collection: 'mastodon.files', schema: FileFacts, keyOf: ({ uploadId }) => uploadId }),
    lists: new StoredMap({ journal, collection: 'mastodon.lists', schema: ListFacts, keyOf: ({ listId }) => listId }),
    scheduled: new StoredMap({ journal, collection: 'mastodon.scheduled', schema: ScheduledStatus, keyOf: ({ number }) => String(number) }),
    follows: new StoredMap({
      journal,
      collection: 'mastodon.follows',
      schema: FollowedAt,
      keyOf: ({ userId, target }) => `${userId} ${target}`,
    }),
    openings: openingMessages(core.people.others).map((message) => toDirectPost(message, message.id)),
    // The address is known only after the sandbox has started to listen.
    get home() {
      return home();
    },
    get pictures() {
      return pictureAddresses(`${home()}/pictures`);
    },
  };
}

/** Whether the signed-in account is suspended. */
export function isSuspended({ settings }: Pick<MastodonState, 'settings'>, userId: string): boolean {
  return settings.current.suspended && userId === SELF.id;
}

/** The address of an account. */
export const profileUrl = (handle: string, { home }: Pick<MastodonState, 'home'>): string => `${home}/@${handle}`;
export const tagUrl = (name: string, { home }: Pick<MastodonState, 'home'>): string =>
  `${home}/tags/${encodeURIComponent(name.toLowerCase())}`;
