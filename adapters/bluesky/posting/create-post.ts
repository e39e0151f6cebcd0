import { randomUUID } from 'node:crypto';
import { UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { forPart } from '#src/operation/part.ts';
import type { CallOptions } from '#src/operation/call.ts';
import type { Person } from '#src/operation/record.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import type { Account } from '../account.ts';
import { atUri, type RecordPlace } from '../at-uri.ts';
import { noSuchAudience } from '../capabilities/refusals.ts';
import type { Files, ReadFile } from '../media/files.ts';
import { failure, isFault, PLATFORM, type Primitives, type Recoveries } from '../platform.ts';
import { findPostView, noPost, POST } from '../reading/post-views.ts';
import { facetsOf } from '../text/facets.ts';
import { toPost } from '../wire/post.ts';
import { allowFor, replyAudienceOf, Threadgate } from '../wire/threadgate.ts';
import type { RecordValue, Write } from '../xrpc/repo.ts';
import { assertTogether, embedOf } from './embeds.ts';
import type { LinkCard } from './link-card.ts';
import { toOwnPost } from './own-post.ts';
import { quoteOf, replyTo } from './references.ts';
import { tidOf } from './tid.ts';
import { writeOnce } from './write-once.ts';

const GATE = 'app.bsky.feed.threadgate';

type Params = Parameters<Primitives['createPost']>[0];

interface Begun extends CallOptions {
  readonly since: Date;
}

export interface PostingOptions {
  readonly account: Account;
  readonly files: Files;
  readonly linkCard: LinkCard;
  /** What a post has that says nothing else. */
  readonly defaults: { readonly language: string | undefined };
  readonly me: (signal: AbortSignal | undefined) => Promise<Person>;
}

interface Posting {
  readonly operations: Pick<Primitives, 'createPost' | 'deletePost' | 'postDetail'>;
  readonly recover: Pick<Recoveries, 'createPost'>;
}

/** Posts, each a record under a key of our choice: the same for every attempt, so that no attempt makes a second one. */
export function posting({ account, files, linkCard, defaults, me }: PostingOptions): Posting {
  const { repo, xrpc, names, now } = account;

  async function placeFor(
    { key, since }: { readonly key: string; readonly since: Date },
    signal: AbortSignal | undefined,
  ): Promise<RecordPlace> {
    return { did: await repo.did(signal), collection: POST, rkey: tidOf(key, since) };
  }

  /** The post as its record says it; its media as they are shown, once they are. */
  async function ownPost(place: RecordPlace, value: RecordValue, allow: readonly object[] | undefined, { signal }: CallOptions) {
    const [author, { pds }] = await Promise.all([me(signal), xrpc.session(signal)]);
    const post = toOwnPost({ place, value, author, pds, replyAudience: replyAudienceOf(gateOf(allow)), fetchedAt: now() });
    if (post.media.length === 0) return post;
    // It stands, whatever is shown of it.
    const shown = await findPostView(account, place, { idempotent: false, signal }).catch(() => undefined);
    signal?.throwIfAborted();
    return shown ? { ...post, media: toPost(shown, now()).media } : post;
  }

  /** The files of a post, where it can show them together; none of them is uploaded before that is known. */
  async function read(given: Params['files'] = [], options: CallOptions): Promise<readonly ReadFile[]> {
    const found = await Promise.all(given.map((file, index) => forPart({ parameter: 'files', index }, files.read(file, options))));
    assertTogether(found.map(({ kind }) => kind));
    return found;
  }

  /** All that a post says, which nobody has seen yet. */
  async function recordOf(
    { text, language = defaults.language, replyTo: parent, quote }: Params,
    shownFiles: readonly ReadFile[],
    { since, signal }: Begun,
  ) {
    const facets = await facetsOf(text, (handle) => names.findDid(handle, signal));
    const reply = parent === undefined ? undefined : await replyTo(account, parent, { signal });
    const shown = quote === undefined ? undefined : await quoteOf(account, quote, { signal });
    const uploaded = await Promise.all(shownFiles.map((file) => file.uploaded({ signal })));
    // What a post shows by itself leaves no room for a card.
    const embed = embedOf(uploaded, shown) ?? (await linkCard(text, { signal }));
    return {
      $type: POST,
      text,
      createdAt: since.toISOString(),
      ...(language !== undefined && { langs: [language] }),
      ...(facets.length > 0 && { facets }),
      ...(reply && { reply }),
      ...(embed && { embed }),
    };
  }

  return {
    operations: {
      async createPost(params, { key = randomUUID(), since = now(), signal }) {
        const draft = { ...params, text: params.text.toWellFormed() };
        const allow = checked(draft);
        const shownFiles = await read(draft.files, { signal });
        const place = await placeFor({ key, since }, signal);
        const value = await recordOf(draft, shownFiles, { since, signal });
        const gate = { $type: GATE, post: atUri(place), allow, createdAt: since.toISOString() };
        const beside: Write[] = allow ? [{ collection: GATE, rkey: place.rkey, value: gate }] : [];
        const standing = await writeOnce(repo, { place, value, beside, signal });
        return ownPost(place, standing, allow, { signal });
      },

      async deletePost({ post }, { signal }) {
        const place = await names.placeOf(post, [POST, 'app.bsky.feed.repost'], signal);
        if (place.did !== (await repo.did(signal))) throw notOwn(place);
        await repo.delete(place, { signal });
        return true;
      },

      async postDetail({ identifier }, { signal }) {
        const place = await names.placeOf(identifier, [POST], signal);
        const isOwn = place.did === (await repo.did(signal));
        const view = await findPostView(account, place, { signal }).catch((error: unknown) => {
          if (!isOwn || !isFault(error, 'unavailable')) throw error;
          return undefined;
        });
        if (view) return toPost(view, now());
        // It may not be shown yet.
        const stored = isOwn ? await repo.find(place, { signal }) : undefined;
        if (!stored) throw noPost(place);
        return ownPost(place, stored.value, undefined, { signal });
      },
    },

    recover: {
      async createPost({ filter }, { key, since, signal }) {
        const place = await placeFor({ key, since }, signal);
        const stored = await repo.find(place, { signal });
        return stored ? { found: await ownPost(place, stored.value, filter && allowFor(filter), { signal }) } : 'absent';
      },
    },
  };
}

function gateOf(allow: readonly object[] | undefined): Threadgate {
  return Threadgate.parse(allow && { record: { allow } });
}

/** Refuses what no record could say, before any request; gives who may answer. */
function checked({ text, files = [], filter, quote, replyTo: parent }: Params): readonly object[] | undefined {
  const { most, lengthOf } = TEXT_LIMITS.bluesky;
  if (lengthOf(text) > most) {
    throw new ValidationError(`the text has ${lengthOf(text)} of ${most} characters (or tenths of 3000 bytes) that ${PLATFORM} takes`, {
      path: 'text',
    });
  }
  if (text === '' && files.length === 0 && quote === undefined) {
    throw new ValidationError(`a post on ${PLATFORM} needs a text, a file or a quote`, { path: 'text' });
  }
  if (filter === undefined) return undefined;
  const allow = allowFor(filter);
  if (!allow) {
    throw new UnsupportedParameter({ platform: PLATFORM, operation: 'createPost', parameter: 'filter', value: filter, ...noSuchAudience });
  }
  if (parent !== undefined) {
    throw new ValidationError('who may answer is for whoever began the thread to say: leave `filter` out of an answer', { path: 'filter' });
  }
  return allow;
}

function notOwn(place: RecordPlace): Error {
  return failure('forbidden', `${atUri(place)} is somebody else's: only its author can delete it.`);
}
