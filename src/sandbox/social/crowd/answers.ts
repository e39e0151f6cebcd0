import { below, createDice, pick } from '../../world/dice.ts';
import type { People } from '../people.ts';
import type { WrittenPost, StoredPost } from '../posts.ts';
import type { Relations } from '../relations.ts';
import { ANSWERS, ANSWERS_TO_QUESTIONS } from '../sentences.ts';
import { arrivalMs } from './pace.ts';

const ID = /^answer-(.+)-(\d+)$/;
const MOST_LIKES = 4;

export interface AnswerOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly nowMs: number;
}

/** What people have answered by themselves to a post that came through the API; they call its author by the name. */
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
