import { below, createDice, pick } from '../world/dice.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Communities } from './communities.ts';
import { ANSWERS, ANSWERS_TO_QUESTIONS } from './generated-posts.ts';
import type { People } from './people.ts';
import type { NewPost, Resonance, StoredPost, WrittenPost } from './posts.ts';
import type { Reaction, Reactions } from './reactions.ts';
import type { Relations } from './relations.ts';

/** After so long two thirds of all who do something about a post have done it. */
const PACE_MS = 8 * 60_000;

/** How many of `count` have done something about a post by the time that it is so old: many at first, later fewer. */
function comeBy(count: number, ageMs: number): number {
  if (ageMs <= 0) return 0;
  return Math.min(count, Math.floor((count + 0.5) * (1 - Math.exp(-ageMs / PACE_MS))));
}

/** How old a post is when the one at `index` of `count` comes: the inverse of {@link comeBy}. */
function arrivalMs(index: number, count: number): number {
  return Math.ceil(-PACE_MS * Math.log(1 - (index + 1) / (count + 0.5)));
}

/** A prime: in steps of it one comes to each of fewer people once. */
const STRIDE = 7919;

type Kind = 'like' | 'repost';

/** The data that determines reactions. */
export interface Audience {
  readonly now: Date;
  readonly people: People;
  readonly reactions: Reactions;
  readonly relations: Relations;
}

/** Somebody who does something about a post by themselves. */
export interface GeneratedReaction {
  readonly person: WorldPerson;
  readonly atMs: number;
  /** Which of all who do so. */
  readonly index: number;
}

/** The people who like or reposted a post: first those from the API, the latest first, then generated ones. */
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

/** How many like a post once all have come by; unlike the count it is the same however much time goes by. */
export function likesInTheEnd(post: StoredPost, { reactions }: Pick<Audience, 'reactions'>): number {
  return post.likes + reactions.on('like', post.id).filter(({ on }) => on).length;
}

/**
 * Who has done so by themselves by now, oldest first: never the signed-in account, nor the author, nor somebody whom a block parts from the author, nor who said something else through the API.
 */
export function generatedReactions(
  kind: Kind,
  post: StoredPost,
  { now, people, reactions, relations }: Audience,
): readonly GeneratedReaction[] {
  const { others } = people;
  const count = Math.min(kind === 'like' ? post.likes : post.reposts, others.length);
  const come = comeBy(count, now.getTime() - post.createdAtMs);
  if (come === 0) return [];
  const start = below(others.length, createDice(0, `${kind} ${post.id}`)(0));
  const spoken = new Set(reactions.on(kind, post.id).map(({ userId }) => userId));
  return Array.from({ length: come }, (_, index) => index).flatMap((index) => {
    const person = others[(start + index * STRIDE) % others.length];
    if (!person || person.id === post.authorId || spoken.has(person.id) || relations.parted(person.id, post.authorId)) return [];
    return [{ person, index, atMs: post.createdAtMs + arrivalMs(index, count) }];
  });
}

const ID = /^answer-(.+)-(\d+)$/;
const MOST_LIKES = 4;

export interface AnswerOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly nowMs: number;
}

/** The replies that people generated to a post from the API. Each reply mentions the author. */
export function answersBelow(post: WrittenPost, { people, relations, nowMs }: AnswerOptions): readonly StoredPost[] {
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
    ({ authorId, createdAtMs }) => createdAtMs <= nowMs && authorId !== post.authorId && !relations.parted(authorId, post.authorId),
  );
}

/** The answer with this id, if `findPost` knows the post that it is to. */
export function findAnswer(id: string, findPost: (id: string) => WrittenPost | undefined, options: AnswerOptions): StoredPost | undefined {
  const post = findPost(ID.exec(id)?.[1] ?? '');
  return post && answersBelow(post, options).find((answer) => answer.id === id);
}

const MOST_REPLIES = 4;

export interface ResonanceOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly communities: Communities;
}

/** What comes by itself of what somebody writes: the more, the more people follow them, and the same for the same post. */
export function resonanceOf({ people, relations, communities }: ResonanceOptions): (id: string, post: NewPost) => Resonance {
  return (id, { authorId, audience, replyTo, community, poll }) => {
    const invited = community !== undefined && communities.find(community)?.joinPolicy === 'invitation';
    if (people.isProtected(authorId) || invited) return {};
    const dice = createDice(0, `resonance ${id}`);
    const followers = relations.followersOf(authorId).length;
    // Replies get few reactions and no replies, because two programs could answer each other forever.
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

/** The reposts of a post as items of a timeline. Each has the content of the post. */
export function repostsOf(post: StoredPost, audience: Audience): readonly StoredPost[] {
  const recorded = audience.reactions.on('repost', post.id).filter(({ on }) => on);
  return [...recorded.map((reaction) => recordedRepost(post, reaction)), ...generatedReposts(post, audience)];
}

/** The repost with this id, if `findPost` knows what it passes on and it was not taken back. */
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

function generatedReposts(post: StoredPost, audience: Audience): readonly StoredPost[] {
  return generatedReactions('repost', post, audience).map(({ person, atMs, index }) =>
    repost(post, { id: `repost-${post.id}-${index}`, authorId: person.id, createdAtMs: atMs }),
  );
}

/** It answers nothing and stands in no community: it is on the timeline of whoever passed the post on. */
function repost(post: StoredPost, identity: Pick<StoredPost, 'id' | 'authorId' | 'createdAtMs'>): StoredPost {
  return { ...post, ...identity, repostOf: post.id, replyTo: undefined, community: undefined, onTimeline: undefined };
}
