import type { Actor } from '#src/admin/actions/actor.ts';
import type { PostActions } from '#src/admin/actions/post-actions.ts';
import { Refused } from '#src/errors.ts';
import type { SentPost } from '#src/engine/posting/posting.ts';
import type { PersonAct } from './acts.ts';
import type { ExpectedPost, ExpectedPosts } from './expected-posts.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 24 * 60 * MINUTE_MS;

/** A member in Discord and an editor on the page, in turn. */
const ACTORS: readonly Actor[] = [
  { name: 'ada', via: 'page', role: 'editor', id: 'discord:7' },
  { name: 'grace', via: 'discord', role: 'editor', id: '8', origin: 'home', scope: { server: 'home', accounts: [] } },
];

/** People who act on posts. Each answer changes what is expected. */
export class People {
  readonly #expected: ExpectedPosts;
  /** The posts that people tried to cancel: an edit may be refused before the cancellation is answered. */
  readonly #cancelling = new Set<string>();
  #acted = 0;

  constructor(expected: ExpectedPosts) {
    this.#expected = expected;
  }

  /** Lets a person act. */
  async act(act: PersonAct, actions: PostActions, nowMs: number): Promise<void> {
    const { all } = this.#expected;
    const post = all[act.post % Math.max(1, all.length)];
    const by = ACTORS[this.#acted++ % ACTORS.length];
    if (!post || !by) return;
    switch (act.kind) {
      case 'edit': {
        const [before] = post.texts;
        const text = ++post.lastText;
        post.texts = [...post.texts, text];
        const edits = act.knowsEdits ? { edits: post.edits } : {};
        const written = this.#expected.textOf(post, text, act.isThread);
        const answer = await answerOf(actions.editPost({ post: post.id, text: written, ...edits }, by));
        if (typeof answer !== 'string') {
          post.texts = without(post.texts, before);
          post.edits++;
        } else {
          post.texts = without(post.texts, text);
          this.#refused(post, answer, ['postEdited']);
        }
        break;
      }
      case 'move':
        return this.#move(post, nowMs + act.inMinutes * MINUTE_MS, actions, by, nowMs);
      case 'moveBack':
        return this.#move(post, post.formerMs, actions, by, nowMs);
      case 'cancel': {
        this.#cancelling.add(post.id);
        const answer = await answerOf(actions.cancelPost({ post: post.id }, by));
        if (typeof answer === 'string') return this.#refused(post, answer);
        if (answer.cancelledBy !== undefined) post.isCancelled = true;
        for (const { account, state } of answer.targets) if (state === 'skipped') post.cancelledOn.add(account);
        break;
      }
    }
  }

  async #move(post: ExpectedPost, atMs: number, actions: PostActions, by: Actor, nowMs: number): Promise<void> {
    const [before = 0] = post.times;
    const dueMs = Math.max(atMs, nowMs);
    post.times = [...post.times, dueMs];
    const answer = await answerOf(actions.movePost({ post: post.id, at: new Date(atMs) }, by));
    if (typeof answer === 'string') {
      post.times = without(post.times, dueMs);
      return this.#refused(post, answer, atMs - nowMs > YEAR_MS ? ['postTimeTooFar'] : []);
    }
    if (!post.isMoved) post.times = without(post.times, before);
    post.isMoved = true;
    post.formerMs = before;
    post.isQueued = false;
  }

  /** Checks that a refusal is true. */
  #refused(post: ExpectedPost, code: string, others: readonly string[] = []): void {
    const isTrue =
      code === 'postBegun'
        ? post.begunText !== undefined || post.isOver
        : code === 'postNotSent'
          ? post.isOver
          : code === 'postCancelled'
            ? this.#cancelling.has(post.id)
            : others.includes(code);
    if (!isTrue) this.#expected.break(`${post.id}: this is not so: ${code}`);
  }
}

/** The list without the first one of these values. */
function without(all: readonly number[], value: number | undefined): readonly number[] {
  const at = all.findIndex((one) => one === value);
  return all.filter((_, index) => index !== at);
}

/** The answer to a person: the post, or the code of a refusal. */
async function answerOf(acting: Promise<SentPost>): Promise<SentPost | string> {
  try {
    return await acting;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}
