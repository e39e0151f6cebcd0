import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { NamedRecord } from '../repo/derived.ts';
import { hears } from './declarations.ts';
import { isDetached, isTaken, mentions } from './gates.ts';
import type { Look } from './look.ts';
import { reactorsOf } from './reactors.ts';

type Reason = 'like' | 'repost' | 'follow' | 'mention' | 'reply' | 'quote' | 'subscribed-post';

/** Something that the viewer is told of. */
export interface Notification {
  /** The same for the same thing. */
  readonly id: string;
  readonly author: WorldPerson;
  readonly reason: Reason;
  readonly atMs: number;
  /** The viewer's own post that it is about. */
  readonly subject?: StoredPost | undefined;
  readonly record: () => NamedRecord;
}

/** All that the viewer is told of, the latest first. */
export function notificationsFor(look: Look): readonly Notification[] {
  const { moment, viewer } = look;
  const own = moment.feed.all().filter(({ authorId }) => authorId === viewer.id);
  const all = [...own.flatMap((post) => reactionsTo(post, look)), ...writings(own, look), ...follows(look), ...subscribed(look)];
  return all
    .filter(({ author }) => author.id !== viewer.id && !moment.relations.parted(viewer.id, author.id))
    .toSorted((a, b) => b.atMs - a.atMs || (a.id < b.id ? -1 : 1));
}

function reactionsTo(subject: StoredPost, look: Look): readonly Notification[] {
  return (['like', 'repost'] as const).flatMap((reason) =>
    reactorsOf(reason, subject, look).map(({ person, atMs }) => ({
      id: `${reason} ${person.id} ${subject.id}`,
      author: person,
      reason,
      atMs,
      subject,
      record: () => look.bluesky.graph.ofReaction(reason, person, subject, atMs),
    })),
  );
}

/** What others wrote to the viewer: of one post they are told once. */
function writings(own: readonly StoredPost[], look: Look): readonly Notification[] {
  const { bluesky, moment, viewer } = look;
  const did = bluesky.directory.didOf(viewer);
  const byId = new Map(own.map((post) => [post.id, post]));
  return moment.feed.all().flatMap((post) => {
    if (post.authorId === viewer.id) return [];
    // What people write by themselves has a name in it only where it has an @; what was written through the API can have any.
    const canName = post.text.includes('@') || bluesky.stage.written.find(post.id) !== undefined;
    if (canName && mentions(bluesky.posts.of(post).record, did)) return told(post, 'mention', undefined, look);
    const quoted = byId.get(post.quote ?? '');
    if (quoted && !isDetached(look, { shown: bluesky.posts.of(quoted).uri, by: bluesky.posts.of(post).uri })) {
      return told(post, 'quote', quoted, look);
    }
    const answered = byId.get(post.replyTo ?? '');
    return answered && isTaken(look, post) ? told(post, 'reply', answered, look) : [];
  });
}

function told(post: StoredPost, reason: Reason, subject: StoredPost | undefined, look: Look): readonly Notification[] {
  const author = look.moment.people.find(post.authorId);
  if (!author) return [];
  return [{ id: `${reason} ${post.id}`, author, reason, atMs: post.createdAtMs, subject, record: () => look.bluesky.posts.of(post) }];
}

function follows(look: Look): readonly Notification[] {
  const { bluesky, moment, viewer } = look;
  return moment.relations.followersOf(viewer.id).flatMap((id): Notification[] => {
    const author = moment.people.find(id);
    if (!author) return [];
    const record = bluesky.graph.ofRelation('follow', author, viewer);
    return [{ id: `follow ${id}`, author, reason: 'follow', atMs: record.atMs, record: () => record }];
  });
}

/** What those wrote of whom the viewer wants to hear, and who let themselves be heard. */
function subscribed(look: Look): readonly Notification[] {
  const { bluesky, moment, viewer } = look;
  const wanted = new Map(bluesky.subscriptions.of(viewer.id).map((subscription) => [subscription.to, subscription]));
  return moment.feed.all().flatMap((post) => {
    const subscription = wanted.get(post.authorId);
    const author = subscription && moment.people.find(post.authorId);
    if (!author || post.createdAtMs < subscription.sinceMs || !hears(look, author)) return [];
    return (post.replyTo === undefined ? subscription.post : subscription.reply) ? told(post, 'subscribed-post', undefined, look) : [];
  });
}
