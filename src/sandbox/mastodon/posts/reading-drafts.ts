import { countGraphemes } from '#src/operation/text/graphemes.ts';
import { uploadNamed } from '../entities/media.ts';
import { MastodonRefusal, invalid, refused } from '../refusal.ts';
import type { Fields } from '../requests/fields.ts';
import { lengthOf } from '../text/length.ts';
import type { UserVisit } from '../visit.ts';
import { MOST_FILES, POLL } from './bounds.ts';
import { quotePolicies, visibilities, type PollFacts, type QuotePolicy, type Visibility } from './facts.ts';
import { findStatus } from './finding.ts';
import type { Draft } from './scheduled.ts';
import { mayQuote, mentionedIn, visibilityOf } from './visibility.ts';
import type { StoredPost } from '../../social/posts.ts';

/** What was sent to be a post; refuses what the server does not take. */
export function readDraft(found: UserVisit): Draft {
  const { fields, viewer, ground, token } = found;
  const parent = named(fields.text('in_reply_to_id'), found);
  if (parent === 'gone') throw refused('replyGone', { status: 404 });
  const quoted = ground.settings.features.hasQuotes ? named(fields.text('quoted_status_id'), found) : undefined;
  if (quoted === 'gone' || (quoted && !mayQuote(viewer, quoted, ground, found.moment.relations)))
    throw refused('quoteGone', { status: 404 });

  const written = (fields.text('status') ?? '').trim();
  const warning = (fields.text('spoiler_text') ?? '').trim();
  const [text, spoilerText] = written === '' ? [warning, ''] : [written, warning];
  const poll = readPoll(fields.part('poll'));
  const mediaIds = readMedia(fields.texts('media_ids'), { found, poll, attachedTo: undefined });
  checkText({ text, spoilerText }, { most: ground.settings.current.maxCharacters, hasMedia: mediaIds.length > 0 });
  const visibility = visibilityWith(readVisibility(fields.text('visibility')), quoted, found);
  if (quoted && visibility === 'direct' && quoted.authorId !== viewer.id && !mentionedIn(text, ground).includes(quoted.authorId)) {
    throw refused('quoteUnmentioned');
  }
  const isForFew = visibility === 'private' || visibility === 'direct';
  const app = token.appId === undefined ? undefined : ground.apps.find(token.appId);
  return {
    authorId: viewer.id,
    text,
    spoilerText,
    sensitive: (fields.flag('sensitive') ?? false) || spoilerText !== '',
    visibility,
    language: fields.text('language') ?? viewer.language,
    mediaIds: [...mediaIds],
    poll,
    replyTo: parent?.id,
    quote: quoted?.id,
    quotePolicy: isForFew ? 'nobody' : (readQuotePolicy(fields.text('quote_approval_policy')) ?? 'public'),
    application: { id: app?.id, name: app?.name ?? 'Fanfare Sandbox', website: app?.website },
  };
}

/** Refuses a text that says nothing, or too much. */
export function checkText(
  given: { readonly text: string; readonly spoilerText: string },
  { most, hasMedia }: { readonly most: number; readonly hasMedia: boolean },
): void {
  if (given.text === '' && !hasMedia) throw invalid('textBlank');
  if (lengthOf(given) > most) throw invalid('textTooLong', most);
}

export function readQuotePolicy(given: string | undefined): QuotePolicy | undefined {
  return quotePolicies.find((policy) => policy === given);
}

/** The poll of a draft; undefined where none is asked for. */
export function readPoll(fields: Fields | undefined): PollFacts | undefined {
  const options = fields?.texts('options').map((option) => option.trim()) ?? [];
  if (!fields || options.length === 0) return undefined;
  if (options.length < 2) throw invalid('pollOptionsFew');
  if (options.length > POLL.mostOptions) throw invalid('pollOptionsMany', POLL.mostOptions);
  if (options.some((option) => countGraphemes(option) > POLL.longestOption)) throw invalid('pollOptionLong', POLL.longestOption);
  if (new Set(options).size < options.length) throw invalid('pollOptionsTwice');
  const expiresInSeconds = fields.whole('expires_in') ?? 0;
  if (expiresInSeconds < POLL.shortestSeconds) throw invalid('pollTooShort');
  if (expiresInSeconds > POLL.longestSeconds) throw invalid('pollTooLong');
  return { options, expiresInSeconds, multiple: fields.flag('multiple') ?? false, hideTotals: fields.flag('hide_totals') ?? false };
}

export interface MediaOf {
  readonly found: UserVisit;
  readonly poll: PollFacts | undefined;
  /** The post that may have them already. */
  readonly attachedTo: string | undefined;
}

/** The uploads that ids name; each has to be its author's own, done, and in no other post. */
export function readMedia(ids: readonly string[], { found, poll, attachedTo }: MediaOf): readonly string[] {
  const { ground, viewer, uploads, moment } = found;
  if (ids.length === 0) return [];
  if (ids.length > MOST_FILES || poll) throw refused('mediaMany');
  const files = ids.map((id) => {
    const upload = uploads.find(uploadNamed(id, ground) ?? '');
    const facts = upload && ground.files.find(upload.id);
    const isFree = facts && !facts.isDeleted && (facts.attachedTo === undefined || facts.attachedTo === attachedTo);
    return { id, upload: upload?.ownerId === viewer.id && isFree ? upload : undefined };
  });
  const gone = files.filter(({ upload }) => !upload);
  if (gone.length > 0) throw refused('mediaGone', { value: gone.map(({ id }) => id).join(', ') });
  const standing = files.flatMap(({ upload }) => upload ?? []);
  if (standing.length > 1 && standing.some(({ kind }) => kind !== 'image')) throw refused('mediaMixed');
  if (standing.some(({ readyAtMs }) => moment.now.getTime() < readyAtMs)) throw refused('mediaProcessing');
  return standing.map(({ id }) => id);
}

/** When a post is to go out; undefined for now, also where the instant is over. */
export function readInstant(given: string | undefined, nowMs: number): number | undefined {
  if (given === undefined || given === '') return undefined;
  const atMs = Date.parse(given);
  if (Number.isNaN(atMs)) throw new MastodonRefusal(422, { error: 'Validation failed: Scheduled at is invalid' });
  return atMs <= nowMs ? undefined : atMs;
}

function named(id: string | undefined, found: UserVisit): StoredPost | 'gone' | undefined {
  if (id === undefined || id === '') return undefined;
  const post = findStatus(id, found);
  if (!post) return 'gone';
  return post.repostOf === undefined ? post : (found.moment.feed.find(post.repostOf) ?? 'gone');
}

function readVisibility(given: string | undefined): Visibility {
  const chosen = given === undefined || given === '' ? 'public' : visibilities.find((visibility) => visibility === given);
  if (!chosen) throw invalid('visibility');
  return chosen;
}

/** What quotes a post for few is for few itself. */
function visibilityWith(chosen: Visibility, quoted: StoredPost | undefined, { ground }: UserVisit): Visibility {
  const isOpen = chosen === 'public' || chosen === 'unlisted';
  return quoted && isOpen && visibilityOf(quoted, ground) === 'private' ? 'private' : chosen;
}
