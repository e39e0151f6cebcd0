import { coversMedia, textBehind } from '#src/clients/operation/text/content-warning.ts';
import { withoutHandlesOfOthers } from '../text/limit.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Primitives } from '../client.ts';
import { entitiesIn } from '../text/entities.ts';
import { instantOf } from '../wire/parts.ts';
import { postUrl, replyAudienceOf } from '../wire/post.ts';
import { toPerson, type UserRow } from '../wire/user.ts';
import { postIdOf } from './read-post.ts';

/** The parameters of a new post. */
export type Draft = Parameters<Primitives['createPost']>[0];

/** The draft with its warning above the text: X has warnings only for media. */
export function withWarning(draft: Draft): Draft {
  return { ...draft, text: textBehind(draft.warning, draft.text) };
}

const REPLY_SETTINGS = {
  ByInvitation: 'mentionedUsers',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
} as const;

/** The reply setting of a filter; undefined for everyone, and for a filter that X lacks. */
export function replySettingOf(filter: Draft['filter']): string | undefined {
  return filter === undefined || filter === 'Followers' || filter === 'Nobody' ? undefined : REPLY_SETTINGS[filter];
}

interface Created {
  /** The id in the answer of X. */
  readonly id: string;
  /** The signed-in account. */
  readonly me: UserRow;
  readonly media: readonly Media[];
  readonly fetchedAt: Date;
}

/**
 * The record of a new post, from the answer and the draft. X bills a read, so the post is not read back: the language, the place and the
 * addresses of media are absent.
 */
export function createdPost(draft: Draft, { id, me, media, fetchedAt }: Created): Post {
  const { text, filter, replyTo, quote, poll, community } = draft;
  const author = toPerson(me);
  const createdAt = instantOf(id) ?? fetchedAt;
  const sent = withoutHandlesOfOthers(text);
  return {
    platform: 'x',
    id,
    url: postUrl(author, id),
    author,
    text: sent,
    entities: entitiesIn(sent),
    createdAt,
    conversationId: replyTo === undefined ? id : undefined,
    replyTo: replyTo === undefined ? undefined : { postId: postIdOf(replyTo) },
    quoted: quote === undefined ? undefined : { postId: postIdOf(quote), state: 'accepted' },
    media: [...media],
    poll: poll && {
      options: poll.options.map((label, index) => ({ index, label, votes: 0 })),
      totalVotes: 0,
      endsAt: new Date(createdAt.getTime() + poll.durationMinutes * 60_000),
      closed: false,
      multiple: false,
    },
    sensitive: (media.length > 0 && coversMedia(draft)) || undefined,
    communityId: community,
    visibility: me.protected ? 'followers' : 'public',
    replyAudience: replyAudienceOf(replySettingOf(filter)),
    counts: { likes: 0, reposts: 0, replies: 0, quotes: 0, bookmarks: 0, impressions: 0 },
    fetchedAt,
  };
}

/** The record of an edited post. X gives each version its own id. */
export function editedPost(before: Post, { text, id, media, fetchedAt }: Omit<Created, 'me'> & Pick<Draft, 'text'>): Post {
  const sent = withoutHandlesOfOthers(text);
  return {
    ...before,
    id,
    firstVersionId: before.firstVersionId ?? before.id,
    url: postUrl(before.author, id),
    text: sent,
    entities: entitiesIn(sent),
    editedAt: instantOf(id) ?? fetchedAt,
    media: [...media],
    fetchedAt,
  };
}
