import type { JsonObject } from '#src/operation/json.ts';
import { conversationOf } from '../../social/conversations.ts';
import { hasReacted, whoReacted } from '../../social/crowd/who-reacted.ts';
import { spelledHashtagsIn } from '../../social/hashtags.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { mentionedIn, visibilityOf } from '../posts/visibility.ts';
import type { Visit } from '../visit.ts';
import { toAccount } from './account.ts';
import { addressOf, contentOf, tagAddress, uriOf } from './content.ts';
import { attachmentsOf } from './media.ts';
import { standingPoll, toPoll } from './poll.ts';
import { quoteStateOf, toQuoteApproval } from './quote.ts';

export interface StatusForm {
  /** Whether what it quotes is told by its id alone: as inside of another quote. */
  readonly shallow?: boolean | undefined;
}

/** A post as the viewer sees it; a boost is one that has nothing of its own. */
export function toStatus(post: StoredPost, found: Visit, form: StatusForm = {}): JsonObject {
  const { ground, moment } = found;
  const original = post.repostOf === undefined ? undefined : moment.feed.find(post.repostOf);
  const author = moment.people.find(post.authorId);
  if (!author) throw new Error(`post ${post.id} is by nobody`);
  const { ids } = ground;
  const facts = ground.facts.find(post.repostOf ?? post.id);
  const parent = post.replyTo === undefined ? undefined : moment.feed.find(post.replyTo);
  return {
    id: ids.status(post),
    created_at: new Date(post.createdAtMs).toISOString(),
    in_reply_to_id: parent ? ids.status(parent) : null,
    in_reply_to_account_id: parent ? ids.account(parent.authorId) : null,
    sensitive: facts?.sensitive ?? false,
    spoiler_text: original ? '' : (facts?.spoilerText ?? ''),
    visibility: visibilityOf(post, ground),
    language: original ? null : post.language,
    uri: original ? `${uriOf(post, ground)}/activity` : uriOf(post, ground),
    url: original ? `${uriOf(post, ground)}/activity` : addressOf(post, ground),
    ...(original ? emptyOf(original, found) : contentsOf(post, found, form)),
    reblog: original ? toStatus(original, found, form) : null,
    edited_at: original || post.editedAtMs === undefined ? null : new Date(post.editedAtMs).toISOString(),
    ...(facts && { application: { name: facts.application.name, website: facts.application.website ?? null } }),
    account: toAccount(author, found),
    emojis: [],
    card: null,
  };
}

/** What a boost says where its original has something. */
function emptyOf(original: StoredPost, found: Visit): JsonObject {
  return {
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
    content: '',
    ...(found.viewer && saidBy(found.viewer, original, found)),
    media_attachments: [],
    mentions: [],
    tags: [],
    poll: null,
    quote: null,
    quote_approval: { automatic: [], manual: [], current_user: 'denied' },
  };
}

function contentsOf(post: StoredPost, found: Visit, form: StatusForm): JsonObject {
  const { ground, moment, viewer } = found;
  const quoted = post.quote === undefined ? undefined : moment.feed.find(post.quote);
  const poll = standingPoll(post, ground);
  return {
    replies_count: moment.feed.answersTo(post.id).length,
    reblogs_count: whoReacted('repost', post, moment).length,
    favourites_count: whoReacted('like', post, moment).length,
    quotes_count: moment.feed.quotesOf(post.id).length,
    content: contentOf(post.text, ground.settings.features.hasQuotes ? quoted : undefined, ground),
    ...(viewer && saidBy(viewer, post, found)),
    ...(viewer && viewer.id === post.authorId && visibilityOf(post, ground) !== 'direct' && { pinned: isPinned(post, viewer, found) }),
    media_attachments: attachmentsOf(post, post.media, ground),
    mentions: mentionsOf(post, found),
    tags: tagsOf(post, found),
    poll: poll ? toPoll(post, poll, found) : null,
    quote: quoteOf(post, quoted, found, form),
    quote_approval: toQuoteApproval(post, found),
  };
}

function saidBy(viewer: WorldPerson, post: StoredPost, { ground, moment }: Visit): JsonObject {
  return {
    favourited: hasReacted('like', { person: viewer, post }, moment),
    reblogged: hasReacted('repost', { person: viewer, post }, moment),
    muted: ground.marks.has('muteThread', viewer.id, conversationOf(post, moment.feed)),
    bookmarked: moment.bookmarks.has(viewer.id, post.id),
    filtered: [],
  };
}

function isPinned(post: StoredPost, viewer: WorldPerson, { moment }: Visit): boolean {
  return moment.reactions.find('pin', { userId: viewer.id, postId: post.id }) ?? false;
}

function quoteOf(post: StoredPost, quoted: StoredPost | undefined, found: Visit, { shallow = false }: StatusForm): JsonObject | null {
  const state = quoteStateOf(post, found);
  if (state === undefined) return null;
  const shown = state === 'accepted' ? quoted : undefined;
  if (shallow) return { state, quoted_status_id: shown ? found.ground.ids.status(shown) : null };
  return { state, quoted_status: shown ? toStatus(shown, found, { shallow: true }) : null };
}

function mentionsOf({ text }: StoredPost, { ground, moment }: Visit): readonly JsonObject[] {
  const { ids, directory } = ground;
  return mentionedIn(text, ground).flatMap((id) => {
    const person = moment.people.find(id);
    if (!person) return [];
    return [{ id: ids.account(id), username: person.handle, url: directory.addressOf(person), acct: directory.acctOf(person) }];
  });
}

function tagsOf({ text }: StoredPost, { ground }: Visit): readonly JsonObject[] {
  const names = new Set(spelledHashtagsIn(text).map((tag) => tag.slice(1).toLowerCase()));
  return [...names].map((name) => ({ name, url: tagAddress(name, ground.home) }));
}
