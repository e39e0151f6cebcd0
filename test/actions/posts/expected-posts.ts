import type { PostTarget, SentPost } from '#src/engine/posting/posting.ts';

/** One post, as people know it from the answers to what they did. */
export interface ExpectedPost {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly hasNotice: boolean;
  isQueued: boolean;
  /** The number of its present text; several if people edit it at once. */
  texts: readonly number[];
  /** When it is due; several times if people move it at once. */
  times: readonly number[];
  /** Whether it was moved since a person looked at it. */
  isMoved: boolean;
  lastText: number;
  edits: number;
  formerMs: number;
  /** The accounts on which it was cancelled. */
  readonly cancelledOn: Set<string>;
  isCancelled: boolean;
  /** Whether a list showed that it no longer waits. */
  isOver: boolean;
  /** Whether a failed delivery of it was sent again, after its author was told. */
  wasResent: boolean;
  /** The text that its first request has. */
  begunText?: number;
}

const NOTICE = 'Failed:';

/** The promises about posts, checked with the answers to people and with what the platform got. It shares no code with the product. */
export class ExpectedPosts {
  readonly all: ExpectedPost[] = [];
  /** The number of posts on the platform. */
  sent = 0;
  readonly #parts = new Map<string, number>();
  readonly #notices: string[] = [];
  #broken: string | undefined;

  /** Throws if a promise was broken. The product would log an error that is thrown inside of a request, and continue. */
  check(): void {
    if (this.#broken !== undefined) throw new Error(this.#broken);
  }

  break(how: string): void {
    this.#broken ??= how;
  }

  /** The text of a post: each part of a thread names the post and the number of the text. */
  textOf({ id }: Pick<ExpectedPost, 'id'>, text: number, isThread: boolean): string {
    const tag = `${id}e${text}`;
    return isThread ? `${tag} one. ${tag} two. ${tag} six.` : `${tag} one.`;
  }

  /** Checks the start of a request. */
  began(account: string, text: string, nowMs: number): void {
    const { post, number } = this.#read(text);
    const what = `${text} on ${account}`;
    if (!post) return this.break(`${what} was sent, and no one wrote it`);
    if (post.isCancelled || post.cancelledOn.has(account)) this.break(`${what} was sent after it was cancelled`);
    if (Math.min(...post.times) > nowMs) this.break(`${what} was sent before its time`);
    if (!post.texts.includes(number)) this.break(`${what} was sent, and the text was replaced by ${post.texts.join(' or ')}`);
    post.begunText ??= number;
    if (post.begunText !== number) this.break(`${what} was sent after the text ${post.begunText}`);
  }

  /** Checks a new record on the platform. */
  made(account: string, text: string): void {
    const name = `${account} ${text}`;
    const count = (this.#parts.get(name) ?? 0) + 1;
    this.#parts.set(name, count);
    this.sent++;
    if (count > 1) this.break(`${text} is on ${account} ${count} times`);
  }

  noticed(text: string): void {
    this.#notices.push(text);
  }

  /** Checks the post that an answer or a list shows. */
  shown(post: ExpectedPost, { text, at, edits, targets, cancelledBy }: SentPost): void {
    const { number } = this.#read(text);
    if (!post.texts.includes(number)) this.break(`${post.id} is shown with the text ${number} instead of ${post.texts.join()}`);
    if (!post.times.includes(at.getTime())) this.break(`${post.id} is shown for ${at.toISOString()}`);
    if (edits !== post.edits) this.break(`${post.id} is shown with ${edits} edits instead of ${post.edits}`);
    // No one knows which one of two accepted acts came first, until a person looks.
    post.texts = [number];
    post.times = [at.getTime()];
    post.isMoved = false;
    if ((cancelledBy !== undefined) !== post.isCancelled) this.break(`${post.id} is shown as cancelled: ${cancelledBy}`);
    if (targets.map((target) => target.account).join() !== post.accounts.join()) this.break(`${post.id} is shown on other accounts`);
  }

  /** Checks that no post is lost, after everything that waited could happen. `mayMiss`: the accounts that refuse or hold a post for long. */
  end(post: ExpectedPost, { targets }: SentPost, mayMiss: (account: string, target: PostTarget) => boolean): void {
    for (const target of targets) {
      const { account, state, problem } = target;
      if (post.isCancelled || post.cancelledOn.has(account)) {
        if (state !== 'skipped') this.break(`${post.id} on ${account} was cancelled, and is ${state}`);
        continue;
      }
      const [text = -1] = post.texts;
      const onPlatform = [...this.#parts.keys()].filter((name) => name.startsWith(`${account} ${post.id}e`));
      if (state === 'sent') {
        if (onPlatform.length === 0 || !onPlatform.every((name) => name.startsWith(`${account} ${post.id}e${text} `)))
          this.break(`${post.id} on ${account} counts as sent, and the platform has ${onPlatform.join()}`);
        continue;
      }
      if (!mayMiss(account, target)) this.break(`${post.id} is lost on ${account}: ${state} ${problem?.message}`);
      const isNoticed = this.#notices.some((notice) => notice.startsWith(`${NOTICE} ${post.id}e`) && notice.split(' ').includes(account));
      if (post.hasNotice && !isNoticed && post.cancelledOn.size === 0)
        this.break(`${post.id} is not on ${account}, and no one was told: ${state} ${problem?.message}`);
    }
    const states = targets.map(({ state }) => state);
    const isNoticed = this.#notices.some((notice) => notice.startsWith(`${NOTICE} ${post.id}e`));
    if (isNoticed && states.every((state) => state === 'sent') && !post.wasResent) this.break(`${post.id} was sent and counts as failed`);
  }

  #read(text: string): { readonly post: ExpectedPost | undefined; readonly number: number } {
    const { id, number } = /(?<id>P\d+)e(?<number>\d+) /u.exec(text)?.groups ?? {};
    return { post: this.all.find((post) => post.id === id), number: Number(number) };
  }
}
