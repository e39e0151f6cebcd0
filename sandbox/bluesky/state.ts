import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { SandboxContext } from '../context.ts';
import { scopedJournal } from '../journal.ts';
import { createSocialCore, type SocialCore } from '../social/core.ts';
import { StoredMap } from '../stored-map.ts';
import { AccountState, type Directory, directoryOf } from './accounts.ts';
import { Blobs } from './blobs.ts';
import { RateLimits } from './rate-limits.ts';
import { type RecordChange, Records, RecordValue } from './records.ts';
import { Sessions } from './sessions.ts';

export const NAME = 'bluesky';

const MessageReaction = z.object({ messageId: z.string(), userId: z.string(), value: z.string(), atMs: z.number() });
/** An emoji of a person on a message. */
export type MessageReaction = Readonly<z.output<typeof MessageReaction>>;

const MessageFacets = z.object({ messageId: z.string(), facets: z.array(RecordValue) });

const VideoJob = z.object({
  id: z.string(),
  did: z.string(),
  sha256: z.string(),
  startedAtMs: z.number(),
  /** The uploaded file. */
  cid: z.string(),
  /** The reason why the service rejects the file. */
  failure: z.string().optional(),
});
/** The processing of a video. */
export type VideoJob = Readonly<z.output<typeof VideoJob>>;

/** The services to which a PDS forwards requests. */
export const upstreams = ['appView', 'chat'] as const;
export type Upstream = (typeof upstreams)[number];

/** The state of the servers. */
export interface BlueskyState {
  readonly core: SocialCore;
  readonly clock: Clock;
  readonly directory: Directory;
  readonly accounts: StoredMap<AccountState>;
  readonly sessions: Sessions;
  readonly rateLimits: RateLimits;
  /** The services that cannot be reached. */
  readonly unreachable: Set<Upstream>;
  readonly records: Records;
  /** A number for a record key, so that keys of the same instant differ. */
  readonly nextKeyNumber: () => number;
  /** Called with each change of a record by a client. */
  readonly changes: Set<(change: RecordChange) => void>;
  readonly blobs: Blobs;
  readonly videoJobs: StoredMap<VideoJob>;
  readonly messageFacets: StoredMap<z.output<typeof MessageFacets>>;
  readonly messageReactions: StoredMap<MessageReaction>;
}

/** The state of the servers in a sandbox. Everything that clients write is in the journal. */
export function createState(context: SandboxContext): BlueskyState {
  const { clock } = context;
  const journal = scopedJournal(context.journal, NAME);
  const core = createSocialCore({ name: NAME, context: { ...context, journal } });
  const directory = directoryOf(core.people);
  const records = new Records(journal);
  let keyNumber = 0;
  return {
    core,
    clock,
    directory,
    accounts: new StoredMap({ journal, collection: 'account-states', schema: AccountState, keyOf: ({ did }) => did }),
    sessions: new Sessions(journal, clock, directory),
    rateLimits: new RateLimits(clock),
    unreachable: new Set(),
    records,
    nextKeyNumber: () => (keyNumber = (keyNumber + 1) % 1024),
    changes: new Set(),
    blobs: new Blobs(journal, records),
    videoJobs: new StoredMap({ journal, collection: 'videos', schema: VideoJob, keyOf: ({ id }) => id }),
    messageFacets: new StoredMap({ journal, collection: 'facets', schema: MessageFacets, keyOf: ({ messageId }) => messageId }),
    messageReactions: new StoredMap({ journal, collection: 'message-reactions', schema: MessageReaction, keyOf: reactionKey }),
  };
}

export function reactionKey({ messageId, userId, value }: Omit<MessageReaction, 'atMs'>): string {
  return `${messageId} ${userId} ${value}`;
}

export function isTakenDown({ accounts }: BlueskyState, did: string): boolean {
  return accounts.get(did)?.takenDown ?? false;
}
