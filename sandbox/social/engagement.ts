import { below, createDice, pick } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Communities } from './communities.ts';
import { ANSWERS, ANSWERS_TO_QUESTIONS } from './generated-posts.ts';
import type { People } from './people.ts';
import type { NewPost, Resonance, StoredPost, WrittenPost } from './posts.ts';
import type { Reaction, Reactions } from './reactions.ts';
import type { Relations } from './relations.ts';

/** Two thirds of the generated reactions happen within this time. */
const PACE_MS = 8 * 60_000;

/** The number of `count` generated reactions that exist at an age of the post. */
function countAt(count: number, ageMs: number): number {
  if (ageMs <= 0) return 0;
  return Math.min(count, Math.floor((count + 0.5) * (1 - Math.exp(-ageMs / PACE_MS))));
}

/** The age of the post at reaction `index` of `count`: the inverse of {@link countAt}. */
function arrivalMs(index: number, count: number): number {
  return Math.ceil(-PACE_MS * Math.log(1 - (index + 1) / (count + 0.5)));
}

/** A prime number. Steps of this size select each person once. */
const STRIDE = 7919;

type Kind = 'like' | 'repost';

/** The data that determines the reactions to a post. */
export interface Audience {
  readonly now: Date;
  readonly people: People;
  readonly reactions: Reactions;
  readonly relations: Relations;
}

/** A like or a repost that the sandbox generates. */
export interface GeneratedReaction {
  readonly person: WorldPerson;
  readonly atMs: number;
  /** The index among the generated reactions of the post. */
  readonly index: number;
}

/** The people who liked or reposted a post: reactions from the API, the latest first, then generated ones. */
export function whoReacted(kind: Kind, post: StoredPost, audience: Audience): readonly WorldPerson[] {
  const { people, reactions } = audience;
  const standing = reactions.on(kind, post.id).filter(({ on }) => on);
  const others = generatedReactions(kind, post, audience).map(({ person }) => person);
  return [...standing.flatMap(({ userId }) => people.find(userId) ?? []), ...others.toReversed()];
}

/** Whether a person is in {@link whoReacted}. */
export function hasReacted(
  kind: Kind,
  { person, post }: { readonly person: WorldPerson; readonly post: StoredPost },
  audience: Audience,
): boolean {
  const recorded = audience.reactions.find(kind, { userId: person.id, postId: post.id });
  return recorded ?? generatedReactions(kind, post, audience).some(({ person: { id } }) => id === person.id);
}

/** The final number of likes of a post. It does not change with time. */
export function likesInTheEnd(post: StoredPost, { reactions }: Pick<Audience, 'reactions'>): number {
  return post.likes + reactions.on('like', post.id).filter(({ on }) => on).length;
}

/**
 * The generated reactions to a post until now, oldest first. Excluded are the account of the API, the author, people with a block
 * between them and the author, and people with a reaction from the API.
 */
export function generatedReactions(
  kind: Kind,
  post: StoredPost,
  { now, people, reactions, relations }: Audience,
): readonly GeneratedReaction[] {
  const { others } = people;
  const count = Math.min(kind === 'like' ? post.likes : post.reposts, others.length);
  if (count === 0) return [];
  const reached = countAt(count, now.getTime() - post.createdAtMs);
  if (reached === 0) return [];
  const start = below(others.length, createDice(0, `${kind} ${post.id}`)(0));
  const recorded = new Set(reactions.on(kind, post.id).map(({ userId }) => userId));
  return Array.from({ length: reached }, (_, index) => index).flatMap((index) => {
    const person = others[(start + index * STRIDE) % others.length];
    if (!person || person.id === post.authorId || recorded.has(person.id) || relations.parted(person.id, post.authorId)) return [];
    return [{ person, index, atMs: post.createdAtMs + arrivalMs(index, count) }];
  });
}

const ID = /^answer-(.+)-(\d+)$/;
const MOST_LIKES = 4;

type AnswerOptions = Pick<Audience, 'now' | 'people' | 'relations'>;

/** The generated replies to a post from the API. Each reply mentions the author. */
export function answersBelow(post: WrittenPost, { people, relations, now }: AnswerOptions): readonly StoredPost[] {
  if (post.replies === 0) return [];
  const dice = createDice(0, `answers ${post.id}`);
  const author = people.find(post.authorId);
  return Array.from({ length: post.replies }, (_, index): StoredPost => {
    const sentences = post.text.trimEnd().endsWith('?') ? ANSWERS_TO_QUESTIONS : ANSWERS;
    return {
      id: `answer-${post.id}-${index}`,
      authorId: pick(people.others, dice(index)).id,
      text: `@${author?.handle} ${pick(sentences, dice(index, 1))}`,
      language: 'en',
      createdAtMs: post.createdAtMs + arrivalMs(index, post.replies) + below(60_000, dice(index, 2)),
      likes: below(MOST_LIKES, dice(index, 3)),
      reposts: 0,
      replies: 0,
      replyTo: post.id,
      media: [],
      earlier: [],
    };
  }).filter(
    ({ authorId, createdAtMs }) => createdAtMs <= now.getTime() && authorId !== post.authorId && !relations.parted(authorId, post.authorId),
  );
}

/** The generated reply with an id. */
export function findAnswer(id: string, findPost: (id: string) => WrittenPost | undefined, options: AnswerOptions): StoredPost | undefined {
  const post = findPost(ID.exec(id)?.[1] ?? '');
  return post && answersBelow(post, options).find((answer) => answer.id === id);
}

const MOST_REPLIES = 4;

interface ResonanceOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly communities: Communities;
}

/** The generated reactions to posts from the API. They grow with the followers of the author and are constant for a post. */
export function resonanceOf({ people, relations, communities }: ResonanceOptions): (id: string, post: NewPost) => Resonance {
  return (id, { authorId, audience, replyTo, community, poll }) => {
    const invited = community !== undefined && communities.find(community)?.joinPolicy === 'invitation';
    if (people.isProtected(authorId) || invited) return {};
    const dice = createDice(0, `resonance ${id}`);
    const followers = relations.followersOf(authorId).length;
    // Replies get no generated replies, because two programs could answer each other forever.
    const isAnswer = replyTo !== undefined;
    const seenBy = (3 + followers / 3) * (isAnswer ? 0.25 : 1);
    return {
      likes: Math.floor(seenBy * (0.4 + dice(0))),
      reposts: Math.floor((seenBy / 5) * (0.2 + dice(1))),
      replies: isAnswer || audience !== undefined ? 0 : Math.min(MOST_REPLIES, Math.floor((seenBy / 5) * 1.6 * dice(2))),
      votes: poll?.options.map((_, index) => below(Math.ceil(seenBy), dice(3, index))),
    };
  };
}

const RECORDED_REPOST = /^repost-(\d+)$/;
const GENERATED_REPOST = /^repost-(.+-\d+)-(\d+)$/;

/** The reposts of a post as items of a timeline, with the content of the post. */
export function repostsOf(post: StoredPost, audience: Audience): readonly StoredPost[] {
  const recorded = audience.reactions.on('repost', post.id).filter(({ on }) => on);
  return [...recorded.map((reaction) => recordedRepost(post, reaction)), ...generatedReposts(post, audience)];
}

/** The repost with an id. A withdrawn repost is not found. */
export function findRepost(id: string, findPost: (id: string) => StoredPost | undefined, audience: Audience): StoredPost | undefined {
  const number = RECORDED_REPOST.exec(id)?.[1];
  if (number !== undefined) {
    const reaction = audience.reactions.numbered(Number(number));
    const post = reaction?.kind === 'repost' && reaction.on ? findPost(reaction.postId) : undefined;
    return post && reaction && recordedRepost(post, reaction);
  }
  const post = findPost(GENERATED_REPOST.exec(id)?.[1] ?? '');
  return post && generatedReposts(post, audience).find((repost) => repost.id === id);
}

function recordedRepost(post: StoredPost, { number, userId, atMs }: Reaction): StoredPost {
  return repost(post, { id: `repost-${number}`, authorId: userId, createdAtMs: atMs });
}

/** The generated reposts of a post by their index. Each timeline has all of them. */
const repostsByIndex = memoize<StoredPost, Map<number, StoredPost>>(() => new Map());

function generatedReposts(post: StoredPost, audience: Audience): readonly StoredPost[] {
  if (post.reposts === 0) return [];
  const known = repostsByIndex(post);
  return generatedReactions('repost', post, audience).map(({ person, atMs, index }) => {
    const one = known.get(index) ?? repost(post, { id: `repost-${post.id}-${index}`, authorId: person.id, createdAtMs: atMs });
    known.set(index, one);
    return one;
  });
}

/** A repost is on the timeline of its author. It is not a reply and belongs to no community. */
function repost(post: StoredPost, identity: Pick<StoredPost, 'id' | 'authorId' | 'createdAtMs'>): StoredPost {
  return { ...post, ...identity, repostOf: post.id, replyTo: undefined, community: undefined, onTimeline: undefined };
}
