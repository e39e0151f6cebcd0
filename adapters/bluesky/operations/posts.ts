import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { forPart } from '#src/clients/operation/part.ts';
import {
  type ContentWarning,
  coversMedia,
  sensitiveMediaIn,
  textBehind,
  textWithout,
} from '#src/clients/operation/text/content-warning.ts';
import { readableFiles } from '#src/clients/social/files.ts';
import type { Person } from '#src/clients/operation/record.ts';
import { isFault } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, POST, type RecordAddress, REPOST } from '../addresses.ts';
import { noSuchAudience } from '../capabilities.ts';
import { failure, PLATFORM, type Primitives, type Recoveries } from '../errors.ts';
import { type RecordValue, type Write, writeOnce } from '../repo.ts';
import { facetsOf } from '../text/facets.ts';
import { allowFor, PostRecord, replyAudienceOf, selfLabels, type StrongRef, threadgateIn, toPost } from '../wire/post.ts';
import { fromRecord } from './account-post.ts';
import type { Embed, LinkCard } from './link-card.ts';
import type { DescribedFile, Files, ReadFile } from './media.ts';
import { findPostView, noPost, target } from './post-views.ts';
import { TEXT_LIMIT } from '../text/limit.ts';

/** The embed of the files and the quote of a post; undefined if it has neither. */
function embedOf(files: readonly DescribedFile[], quote: StrongRef | undefined): Embed | undefined {
  const media = mediaOf(files);
  const record = quote && { $type: 'app.bsky.embed.record', record: { uri: quote.uri, cid: quote.cid } };
  return media && record ? { $type: 'app.bsky.embed.recordWithMedia', record, media } : (media ?? record);
}

function mediaOf(files: readonly DescribedFile[]): Embed | undefined {
  const [first] = files;
  if (!first) return undefined;
  if (first.kind !== 'video') {
    return { $type: 'app.bsky.embed.images', images: files.map((file) => ({ image: file.blob, alt: file.altText, ...aspectRatio(file) })) };
  }
  return { $type: 'app.bsky.embed.video', video: first.blob, ...(first.altText && { alt: first.altText }), ...aspectRatio(first) };
}

/** Refuses files that one post cannot show. */
function assertTogether(kinds: readonly DescribedFile['kind'][]): void {
  if (!kinds.includes('video') || kinds.length === 1) return;
  throw new ValidationError(`a post on ${PLATFORM} can have up to four pictures or one video: use several posts`, {
    path: 'files',
  });
}

function aspectRatio({ width, height }: DescribedFile): { readonly aspectRatio?: object } {
  return width && height ? { aspectRatio: { width, height } } : {};
}

/** The references of a reply: its parent and the first post of the thread. */
interface ReplyRef {
  readonly root: StrongRef;
  readonly parent: StrongRef;
}

async function replyTo(account: AccountContext, post: string, options: CallOptions): Promise<ReplyRef> {
  const { uri, cid, record, view } = await target(account, await account.names.postOf(post, options.signal), options);
  if (view?.viewer?.replyDisabled) throw failure('forbidden', `the author of the thread of ${uri} does not allow replies of this account.`);
  const parent = { uri, cid };
  return { root: record.reply?.root ?? parent, parent };
}

export async function quoteOf(account: AccountContext, post: string, options: CallOptions): Promise<StrongRef> {
  const { uri, cid, view } = await target(account, await account.names.postOf(post, options.signal), options);
  if (view?.viewer?.embeddingDisabled) {
    throw failure('forbidden', `the author of ${uri} does not allow quotes: put the address of the post into the text.`);
  }
  return { uri, cid };
}

/** The text with its warning. Bluesky has no warnings, except the labels of media. */
function postedText({ text, warning }: Params): string {
  return sensitiveMediaIn(warning) ? textWithout(warning, text) : textBehind(warning, text);
}

/** The labels of a post: the kinds that its warning names, or a general label for covered files. */
function labelsOf(covering: ContentWarning, { hasFiles }: { readonly hasFiles: boolean }): object | undefined {
  const named = sensitiveMediaIn(covering.warning);
  if (named) return selfLabels(named);
  return hasFiles && coversMedia(covering) ? selfLabels(['graphic']) : undefined;
}

const GATE = 'app.bsky.feed.threadgate';
const QUOTE_GATE = 'app.bsky.feed.postgate';
const DAY_MS = 24 * 3_600_000;
const NO_QUOTES = { $type: `${QUOTE_GATE}#disableRule` };

type Params = Parameters<Primitives['createPost']>[0];

interface PostingOptions {
  readonly account: AccountContext;
  readonly files: Files;
  readonly linkCard: LinkCard;
  /** Defaults of a post. */
  readonly defaults: { readonly language: string | undefined };
  readonly me: (signal: AbortSignal | undefined) => Promise<Person>;
}

interface Posting {
  /** Reads the language of the latest posts of the account, for posts without one, and keeps its session. Readers filter posts by language. */
  readonly learn: (options: CallOptions) => Promise<void>;
  readonly operations: Pick<Primitives, 'createPost' | 'deletePost' | 'postDetail'>;
  readonly recover: Pick<Recoveries, 'createPost'>;
  /** Rejects with the error of a post that Bluesky refuses. Files that cannot be read do not count. */
  readonly assertAccepts: (params: Params, options: CallOptions) => Promise<void>;
}

/** Posts are records. All attempts use the same key, so that no attempt makes a second post. */
export function posting({ account, files, linkCard, defaults, me }: PostingOptions): Posting {
  const { repo, xrpc, names, now } = account;

  /** The post from its record, with the media of its view once the AppView shows it. */
  async function accountPost(address: RecordAddress, value: RecordValue, allow: readonly object[] | undefined, { signal }: CallOptions) {
    const [author, { pds }] = await Promise.all([me(signal), xrpc.session(signal)]);
    const post = fromRecord({ address, value, author, pds, replyAudience: replyAudienceOf(gateOf(allow)), fetchedAt: now() });
    if (post.media.length === 0) return post;
    // The post exists, whether or not the AppView shows it.
    const shown = await findPostView(account, address, { idempotent: false, signal }).catch(() => undefined);
    signal?.throwIfAborted();
    return shown ? { ...post, media: toPost(shown, now()).media } : post;
  }

  /** Reads the files of a post and checks that one post can show them, before any upload. */
  async function read(params: Params['files'] = [], options: CallOptions): Promise<readonly ReadFile[]> {
    const found = await Promise.all(params.map((file, index) => forPart({ parameter: 'files', index }, files.read(file, options))));
    assertTogether(found.map(({ kind }) => kind));
    return found;
  }

  /** The language of the latest posts. */
  let usualLanguage: string | undefined;
  /** When the server last accepted the session here. */
  let usedMs = -Infinity;

  /** The record of a new post. */
  async function draftRecord(
    { text, language, replyTo: parent, quote, ...covering }: Params,
    shownFiles: readonly ReadFile[],
    { since, signal }: CallOptions & { readonly since: Date },
  ) {
    const facets = await facetsOf(text, (handle) => names.findDid(handle, signal));
    const reply = parent === undefined ? undefined : await replyTo(account, parent, { signal });
    const shown = quote === undefined ? undefined : await quoteOf(account, quote, { signal });
    // One after the other, because concurrent uploads would share a slow line.
    const uploaded = await Array.fromAsync(shownFiles, (file) => file.uploaded({ signal }));
    // A post with files or a quote has no room for a card.
    const embed = embedOf(uploaded, shown) ?? (await linkCard(text, { signal }));
    const spoken = language ?? defaults.language ?? usualLanguage;
    const labels = labelsOf(covering, { hasFiles: uploaded.length > 0 });
    return {
      $type: POST,
      text,
      createdAt: since.toISOString(),
      ...(spoken !== undefined && { langs: [spoken] }),
      ...(facets.length > 0 && { facets }),
      ...(reply && { reply }),
      ...(embed && { embed }),
      ...(labels && { labels }),
    };
  }

  return {
    async learn(options) {
      if ((defaults.language ?? usualLanguage) === undefined) {
        const latest = await repo.latest(POST, options);
        usualLanguage = latest.flatMap(({ value }) => PostRecord.safeParse(value).data?.langs ?? [])[0];
      }
      if (now().getTime() - usedMs < DAY_MS) return;
      // Servers end a session that is not renewed for 90 days. They list records for anyone, even with an expired token.
      await xrpc.query('com.atproto.server.getSession', z.object({ did: z.string() }), {}, options);
      usedMs = now().getTime();
    },

    operations: {
      async createPost(params, { key = randomUUID(), since = now(), decidedAt, signal }) {
        const draft = draftOf(params);
        const allow = checked(draft);
        const shownFiles = await read(draft.files, { signal });
        const address = await repo.addressFor(POST, { key, since, decidedAt, signal });
        const value = await draftRecord(draft, shownFiles, { since, signal });
        const gate = { $type: GATE, post: atUri(address), allow, createdAt: since.toISOString() };
        const { rkey } = address;
        const noQuotes = { $type: QUOTE_GATE, post: atUri(address), embeddingRules: [NO_QUOTES], createdAt: since.toISOString() };
        const beside: Write[] = [
          ...(allow ? [{ collection: GATE, rkey, value: gate }] : []),
          ...(draft.quotable === 'nobody' ? [{ collection: QUOTE_GATE, rkey, value: noQuotes }] : []),
        ];
        const standing = await writeOnce(repo, { address, value, beside, signal });
        return accountPost(address, standing, allow, { signal });
      },

      async deletePost({ post }, { signal }) {
        const address = await names.recordOf(post, [POST, REPOST], signal);
        if (address.did !== (await repo.did(signal))) throw notOfAccount(address);
        await repo.delete(address, { signal });
        return true;
      },

      async postDetail({ identifier }, { signal }) {
        const address = await names.postOf(identifier, signal);
        const isByAccount = address.did === (await repo.did(signal));
        const view = await findPostView(account, address, { signal }).catch((error: unknown) => {
          if (!isByAccount || !isFault(error, 'unavailable')) throw error;
          return undefined;
        });
        if (view) return toPost(view, now());
        // The AppView may show the post later.
        const stored = isByAccount ? await repo.find(address, { signal }) : undefined;
        if (!stored) throw noPost(address);
        return accountPost(address, stored.value, undefined, { signal });
      },
    },

    async assertAccepts(params, options) {
      checked(draftOf(params));
      assertTogether((await readableFiles(params.files, (file) => files.read(file, options))).map(({ kind }) => kind));
    },

    recover: {
      async createPost({ filter }, options) {
        const written = await repo.findWritten(POST, options);
        return written ? { found: await accountPost(written.address, written.value, filter && allowFor(filter), options) } : 'absent';
      },
    },
  };
}

function draftOf(params: Params): Params {
  return { ...params, text: postedText(params).toWellFormed() };
}

function gateOf(allow: readonly object[] | undefined): ReturnType<typeof threadgateIn> {
  return threadgateIn({ record: { allow } });
}

/** Refuses an invalid draft before any request. Returns the reply rules. */
function checked({ text, files = [], filter, quote, replyTo: parent }: Params): readonly object[] | undefined {
  const { most, lengthOf } = TEXT_LIMIT;
  if (lengthOf(text) > most) {
    throw new ValidationError(
      `the text is too long: ${PLATFORM} accepts ${most} characters and ${most * 10} bytes, and this text counts as ${lengthOf(text)} characters`,
      {
        path: 'text',
      },
    );
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
    throw new ValidationError('only the author of the first post of a thread sets `filter`: leave it out of a reply', { path: 'filter' });
  }
  return allow;
}

function notOfAccount(address: RecordAddress): Error {
  return failure('forbidden', `${atUri(address)} belongs to another account: only the author can delete the post.`);
}
