import { answersTo, lettersOf } from '../../social/messaging/letters.ts';
import type { StoredMessage } from '../../social/messaging/talks.ts';
import { SELF, type People } from '../../social/people.ts';
import type { StoredPost, WrittenPost } from '../../social/posts.ts';

const DIRECT = /^(letter|reply)-\d+$/;

/** Whether people wrote a post by themselves to the account alone. */
export function isLetter({ id }: Pick<StoredPost, 'id'>): boolean {
  return DIRECT.test(id);
}

/** What people once wrote to the account: each a post for it alone that begins a conversation. */
export function lettersTo({ others }: People): readonly StoredPost[] {
  return lettersOf(others).map((letter) => toPost(letter, letter.id));
}

export interface DirectPost {
  readonly post: WrittenPost;
  /** The post that began its conversation. */
  readonly root: string;
  /** Who may read it, by id: its author and those whom it calls. */
  readonly readers: readonly string[];
}

/** What people answer by themselves to posts for them alone, by now. */
export function repliesTo(posts: readonly DirectPost[], nowMs: number): readonly StoredPost[] {
  return [...Map.groupBy(posts, ({ root }) => root).values()].flatMap((talk) => {
    const readers = [...new Set(talk.flatMap((one) => one.readers))];
    const sent = talk.map(({ post }): StoredMessage => ({
      id: `message-${numberOf(post)}`,
      conversationId: post.id,
      senderId: post.authorId,
      text: post.text,
      createdAtMs: post.createdAtMs,
      visibleAtMs: post.visibleAtMs,
      media: [],
    }));
    return answersTo(sent, readers)
      .filter(({ createdAtMs }) => createdAtMs <= nowMs)
      .map((answer) => {
        const number = answer.id.slice('answer-'.length);
        return { ...toPost(answer, `reply-${number}`), replyTo: `own-${number}` };
      });
  });
}

function toPost({ senderId, text, createdAtMs }: StoredMessage, id: string): StoredPost {
  return {
    id,
    authorId: senderId,
    text: `@${SELF.handle} ${text}`,
    language: 'en',
    createdAtMs,
    likes: 0,
    reposts: 0,
    replies: 0,
    media: [],
    earlier: [],
  };
}

function numberOf({ id }: WrittenPost): string {
  return id.slice('own-'.length);
}
