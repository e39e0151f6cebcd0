import { hash, randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import type { Clock } from '#src/clock.ts';
import { ValidationError } from '#src/errors.ts';
import { assertSupported, type Capability } from '#src/clients/operation/capability.ts';
import type { Fallback } from '#src/clients/operation/fallback.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Platform } from '#src/clients/operation/platform.ts';
import type * as posts from '../posts.ts';
import type { LaterPost, PostSchedule } from '../providers.ts';
import { fileReference } from '../files.ts';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import type { Media } from '../records/media.ts';
import type { ScheduledPost } from '../records/post.ts';
import type * as topic from '../schedule.ts';
import { composed, missing } from './support.ts';

type Posting = Platform<typeof posts>;
type Draft = Parameters<NonNullable<Posting['operations']['createPost']>>[0];
type Parts = Pick<Posting, 'name' | 'account' | 'textLimit'> & {
  readonly operations: Pick<Posting['operations'], 'createPost'>;
  readonly capabilities: Pick<Posting['capabilities'], 'createPost'>;
};

export interface ScheduleFallbackOptions {
  readonly schedule: PostSchedule | undefined;
  readonly platform: Parts;
  readonly clock: Clock;
}

const OPERATION = 'createScheduledPost';

/** The capabilities without a schedule. */
export const noSchedule = all(missing('`keep.schedule`; `fanfare start` sets it'));

/** The capabilities with a schedule of Fanfare. */
export const localSchedule = all(composed('Fanfare stores the post until its time and reads the files then.'));

/** Creates scheduled posts that Fanfare stores until their time. */
export function scheduleFallback({ schedule, platform, clock }: ScheduleFallbackOptions): Fallback<typeof topic> {
  if (!schedule || !platform.operations.createPost) return { operations: {}, capabilities: noSchedule };
  const { name, account } = platform;
  const toRecord = (post: LaterPost): ScheduledPost => recordOf(post, name);

  return {
    capabilities: localSchedule,
    operations: {
      async createScheduledPost({ sendAt, ...draft }, { key }) {
        const id = idFor(account, key);
        const known = await schedule.find(account, id);
        if (known) return toRecord(known);
        assertPostable(draft, platform);
        if (sendAt.getTime() <= clock.nowMs()) {
          throw new ValidationError(`${OPERATION}: sendAt: ${sendAt.toISOString()} is in the past`, { path: 'sendAt' });
        }
        return toRecord(await schedule.keep({ id, account, sendAt, params: toParams(draft) }));
      },
      getScheduledPosts: async () => ({ items: (await schedule.waiting(account)).map(toRecord) }),
      deleteScheduledPost: ({ post }) => schedule.drop(account, post),
    },
    recover: {
      async createScheduledPost(_, { key }) {
        const found = await schedule.find(account, idFor(account, key));
        return found ? { found: toRecord(found) } : 'absent';
      },
    },
  };
}

/** Refuses at once what the platform would refuse later. */
function assertPostable(draft: Draft, { name: platform, capabilities, textLimit: stated }: Parts): void {
  assertSupported(capabilities.createPost, { platform, operation: OPERATION, params: draft });
  const limit = typeof stated === 'function' ? stated() : stated;
  if (!limit) return;
  const length = limit.lengthOf(textBehind(draft.warning, draft.text));
  if (length > limit.most) {
    throw new ValidationError(`${OPERATION}: the text is too long: ${length} characters, and ${platform} accepts ${limit.most}.`, {
      path: 'text',
    });
  }
}

/** The same key gives the same id. */
function idFor(account: string, key: string | undefined): string {
  return `later-${key === undefined ? randomUUID() : hash('sha256', `${account} ${key}`, 'base64url').slice(0, 22)}`;
}

function toParams(draft: Draft): JsonObject {
  return JSON.parse(JSON.stringify(draft)) as JsonObject; // JSON has no undefined values
}

function recordOf({ id, sendAt, params, state }: LaterPost, platform: string): ScheduledPost {
  const { text = '', warning, files = [] } = params as Partial<Draft>; // as `toParams` made them
  return { platform, id, origin: 'local', sendAt, text: textBehind(warning, text), warning, media: files.map(mediaOf), state };
}

const KINDS: Readonly<Record<string, Media['kind']>> = {
  '.gif': 'gif',
  '.mp4': 'video',
  '.mov': 'video',
  '.webm': 'video',
  '.mp3': 'audio',
  '.ogg': 'audio',
  '.wav': 'audio',
};

/** A file before it is read. */
function mediaOf(file: NonNullable<Draft['files']>[number]): Media {
  const reference = fileReference(file);
  const id = reference.id ?? (typeof reference.source === 'string' ? reference.source : (reference.source.name ?? 'file'));
  const name = URL.canParse(id) ? new URL(id).pathname : id;
  return { id, kind: KINDS[extname(name).toLowerCase()] ?? 'image', altText: reference.altText, state: 'ready' };
}

function all(capability: Capability): Readonly<Record<keyof typeof topic, Capability>> {
  return { createScheduledPost: capability, getScheduledPosts: capability, deleteScheduledPost: capability };
}
