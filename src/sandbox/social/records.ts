import type { PostConversationFilters } from '#src/social/enumerations.ts';
import type { Media } from '#src/social/records/media.ts';
import type { Post } from '#src/social/records/post.ts';
import type { WorldPerson } from '../world/world.ts';
import { conversationOf, isHidden } from './conversations.ts';
import { hasReacted, whoReacted } from './crowd/who-reacted.ts';
import { entitiesOf } from './entities.ts';
import type { Feed } from './feed.ts';
import type { Moment } from './moment.ts';
import { findPlace } from './places.ts';
import { pollOf } from './poll-record.ts';
import type { StoredMedia, StoredPost } from './posts.ts';
import { PLATFORM, toPerson } from './user-record.ts';

const AUDIENCES = {
  ByInvitation: 'mentioned',
  Community: 'following',
  Subscribers: 'subscribers',
  Verified: 'verified',
  Followers: 'followers',
  Nobody: 'nobody',
} as const satisfies Record<PostConversationFilters, Post['replyAudience']>;

/** A post as whoever asks sees it; a repost has the counts of what it passes on. */
export function toPost(post: StoredPost, moment: Moment): Post {
  const { feed, people, url, now } = moment;
  const subject = (post.repostOf === undefined ? undefined : feed.find(post.repostOf)) ?? post;
  const author = people.find(post.authorId);
  if (!author) throw new Error(`post ${post.id} is by nobody`);
  const parent = post.replyTo === undefined ? undefined : feed.find(post.replyTo);
  return {
    platform: PLATFORM,
    id: post.id,
    url: `${url}/posts/${post.id}`,
    author: toPerson(author, moment),
    text: post.text,
    entities: entitiesOf(post.text, moment),
    language: post.language,
    createdAt: new Date(post.createdAtMs),
    editedAt: post.editedAtMs === undefined ? undefined : new Date(post.editedAtMs),
    conversationId: conversationOf(subject, feed),
    replyTo: post.replyTo === undefined ? undefined : { postId: post.replyTo, userId: parent?.authorId },
    quoted: post.quote === undefined ? undefined : quotedBy(post.quote, feed),
    repostOf: post.repostOf,
    media: post.media.map((media) => toMedia(media, moment)),
    poll: pollOf(subject, moment),
    place: post.place === undefined ? undefined : findPlace(post.place),
    communityId: subject.community,
    visibility: people.isProtected(author.id) ? 'followers' : 'public',
    replyAudience: post.audience ? AUDIENCES[post.audience] : 'everyone',
    counts: {
      likes: whoReacted('like', subject, moment).length,
      reposts: whoReacted('repost', subject, moment).length,
      replies: feed.answersTo(subject.id).length,
      quotes: feed.quotesOf(subject.id).length,
      bookmarks: moment.bookmarks.count(subject.id),
    },
    viewer: moment.viewer && viewerOf(subject, moment.viewer, moment),
    hidden: isHidden(subject, moment) || undefined,
    fetchedAt: now,
  };
}

/** A picture, a video or a sound, and where it is. */
export function toMedia({ id, kind, altText, width, height, sizeBytes }: StoredMedia, { url }: Pick<Moment, 'url'>): Media {
  return { id, kind, url: `${url}/media/${id}`, altText, width, height, sizeBytes, state: 'ready' };
}

function quotedBy(postId: string, feed: Feed): NonNullable<Post['quoted']> {
  const quoted = feed.find(postId);
  return quoted ? { postId, state: 'accepted', text: quoted.text } : { postId, state: 'unavailable' };
}

function viewerOf(post: StoredPost, person: WorldPerson, moment: Moment): NonNullable<Post['viewer']> {
  const { reactions, bookmarks } = moment;
  return {
    liked: hasReacted('like', { person, post }, moment),
    reposted: hasReacted('repost', { person, post }, moment),
    bookmarked: bookmarks.has(person.id, post.id),
    pinned: reactions.find('pin', { userId: person.id, postId: post.id }) ?? false,
  };
}
