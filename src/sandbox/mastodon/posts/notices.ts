import type { WorldPerson } from '../../world/world.ts';
import { spontaneous } from '../../social/crowd/who-reacted.ts';
import type { StoredPost } from '../../social/posts.ts';
import { orderOf, placeAt, type Place } from '../identifiers/places.ts';
import type { UserVisit } from '../visit.ts';
import { conversationOf } from '../../social/conversations.ts';
import { standingPoll } from '../entities/poll.ts';
import { mentionedIn } from './visibility.ts';

export type NoticeType = 'mention' | 'status' | 'reblog' | 'follow' | 'follow_request' | 'favourite' | 'poll' | 'update' | 'quote';

/** Something that somebody hears of. */
export interface Notice {
  readonly type: NoticeType;
  readonly atMs: number;
  readonly fromId: string;
  readonly post?: StoredPost | undefined;
}

/** Where a notice stands among others. */
export function placeOfNotice({ type, atMs, fromId, post }: Notice): Place {
  return placeAt(atMs, orderOf(`${type} ${fromId} ${post?.id}`));
}

/** All that the viewer hears of, without what they have put away. */
export function noticesFor(found: UserVisit): readonly Notice[] {
  const { viewer, ground } = found;
  const all = [...fromPosts(found), ...fromReactions(found), ...fromRelations(found), ...fromPolls(found)];
  const clearedAtMs = ground.marks.find('cleared', viewer.id, 'all')?.atMs ?? -Infinity;
  return all.filter(
    (notice) =>
      notice.atMs > clearedAtMs &&
      notice.fromId !== viewer.id &&
      !ground.marks.has('mute', viewer.id, notice.fromId) &&
      !ground.marks.has('dismissed', viewer.id, String(placeOfNotice(notice))) &&
      !isMutedThread(notice, found),
  );
}

/** Those who call the viewer, those whom the viewer wants to hear of, and those who quote the viewer. */
function fromPosts({ viewer, moment, ground }: UserVisit): readonly Notice[] {
  const { feed, relations } = moment;
  return feed.all().flatMap((post): Notice[] => {
    const notice = { atMs: post.createdAtMs, fromId: post.authorId, post };
    const quoted = post.quote === undefined ? undefined : feed.find(post.quote);
    const sinceMs = relations.notifiedSinceMs(viewer.id, post.authorId);
    const answersOthers = post.replyTo !== undefined && feed.find(post.replyTo)?.authorId !== post.authorId;
    if (mentionedIn(post.text, ground).includes(viewer.id)) return [{ ...notice, type: 'mention' }];
    return [
      ...(quoted?.authorId === viewer.id ? [{ ...notice, type: 'quote' as const }] : []),
      ...(sinceMs !== undefined && post.createdAtMs >= sinceMs && !answersOthers ? [{ ...notice, type: 'status' as const }] : []),
    ];
  });
}

/** Who likes or passes on what the viewer wrote, and what became of posts that the viewer passed on. */
function fromReactions({ viewer, moment }: UserVisit): readonly Notice[] {
  const { feed, reactions } = moment;
  const own = feed.all().filter(({ authorId }) => authorId === viewer.id);
  const kinds = [
    ['like', 'favourite'],
    ['repost', 'reblog'],
  ] as const;
  const felt = own.flatMap((post) =>
    kinds.flatMap(([kind, type]): Notice[] => [
      ...reactions
        .on(kind, post.id)
        .filter(({ on }) => on)
        .map(({ userId, atMs }) => ({ type, atMs, fromId: userId, post })),
      ...spontaneous(kind, post, moment).map(({ person, atMs }) => ({ type, atMs, fromId: person.id, post })),
    ]),
  );
  const edited = reactions.by('repost', viewer.id).flatMap(({ postId, atMs }): Notice[] => {
    const post = feed.find(postId);
    return post?.editedAtMs !== undefined && post.editedAtMs > atMs
      ? [{ type: 'update', atMs: post.editedAtMs, fromId: post.authorId, post }]
      : [];
  });
  return [...felt, ...edited];
}

function fromRelations({ viewer, moment, ground }: UserVisit): readonly Notice[] {
  const followed = ground.marks
    .all('follow')
    .filter(({ userId, target }) => target === viewer.id && moment.relations.follows(userId, viewer.id));
  const asked = ground.marks.all('request').filter(({ target }) => target === viewer.id);
  return [
    ...followed.map(({ userId, atMs }): Notice => ({ type: 'follow', atMs, fromId: userId })),
    ...asked.map(({ userId, atMs }): Notice => ({ type: 'follow_request', atMs, fromId: userId })),
  ];
}

/** Polls that the viewer voted in and that are over. */
function fromPolls({ viewer, moment, ground }: UserVisit): readonly Notice[] {
  return moment.feed.all().flatMap((post): Notice[] => {
    const standing = standingPoll(post, ground);
    if (!standing || standing.poll.endsAtMs > moment.now.getTime()) return [];
    const voted = moment.votes.find({ userId: viewer.id, postId: standing.ballot });
    return voted ? [{ type: 'poll', atMs: standing.poll.endsAtMs, fromId: post.authorId, post }] : [];
  });
}

function isMutedThread({ post }: Notice, { ground, viewer, moment }: UserVisit): boolean {
  return post !== undefined && ground.marks.has('muteThread', viewer.id, conversationOf(post, moment.feed));
}

/** Who a notice is from. */
export function personOf({ fromId }: Notice, { moment }: UserVisit): WorldPerson | undefined {
  return moment.people.find(fromId);
}
