import { generatedReplies } from '../social/messaging/mailbox.ts';
import type { StoredMessage } from '../social/messaging/direct-messages.ts';
import { SELF } from '../social/people.ts';
import type { StoredPost, WrittenPost } from '../social/posts.ts';

/** A direct post that was written through the API. */
export interface DirectPost {
  readonly post: WrittenPost;
  /** The post that began its conversation. */
  readonly root: string;
  /** The ids of the author and of the mentioned people. */
  readonly readers: readonly string[];
}

/** Whether the sandbox generated a post as a direct post to the account. */
export function isGeneratedDirect({ id }: Pick<StoredPost, 'id'>): boolean {
  return /^(letter|reply)-\d+$/.test(id);
}

/** The answers of people to direct posts until `nowMs`. */
export function repliesTo(posts: readonly DirectPost[], nowMs: number): readonly StoredPost[] {
  return [...Map.groupBy(posts, ({ root }) => root).values()].flatMap((conversation) => {
    const readers = [...new Set(conversation.flatMap((one) => one.readers))];
    const sent = conversation.map(({ post }): StoredMessage => {
      const { id, authorId: senderId, text, createdAtMs, visibleAtMs } = post;
      return { id: `message-${id.slice('own-'.length)}`, conversationId: id, senderId, text, createdAtMs, visibleAtMs, media: [] };
    });
    return generatedReplies(sent, readers)
      .filter(({ createdAtMs }) => createdAtMs <= nowMs)
      .map((answer) => {
        const number = answer.id.slice('answer-'.length);
        return { ...toDirectPost(answer, `reply-${number}`), replyTo: `own-${number}` };
      });
  });
}

/** A message to the account as a direct post. */
export function toDirectPost({ senderId, text, createdAtMs }: StoredMessage, id: string): StoredPost {
  const empty = { language: 'en', likes: 0, reposts: 0, replies: 0, media: [], earlier: [] };
  return { ...empty, id, authorId: senderId, text: `@${SELF.handle} ${text}`, createdAtMs };
}
