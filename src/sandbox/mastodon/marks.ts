import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'mastodon.marks';

const Mark = z.object({
  kind: z.enum([
    /** Asked to follow somebody who chooses their followers. */
    'request',
    /** Asked so, and to hear of their posts. */
    'requestToHear',
    /** Followed somebody through the API. */
    'follow',
    'mute',
    /** Follows without what is passed on. */
    'withoutReblogs',
    'muteThread',
    'followTag',
    'dismissed',
    /** Has read all notifications away. */
    'cleared',
    'readTalk',
    'hiddenTalk',
    /** No longer lets itself be quoted by that post. */
    'quoteRevoked',
  ]),
  userId: z.string(),
  /** Whom or what it is about, by the world's own names. */
  target: z.string(),
  atMs: z.number(),
});

/** One thing that somebody said about somebody or something, and that holds until it is taken back. */
export interface Mark extends Readonly<z.output<typeof Mark>> {}
export type MarkKind = Mark['kind'];

/** What people said that only Mastodon knows. */
export class Marks {
  readonly #journal: Journal;
  readonly #byKey = new Map<string, Mark>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Mark.parse(document));
  }

  find(kind: MarkKind, userId: string, target: string): Mark | undefined {
    return this.#byKey.get(keyOf({ kind, userId, target }));
  }

  has(kind: MarkKind, userId: string, target: string): boolean {
    return this.find(kind, userId, target) !== undefined;
  }

  /** All of a kind, the first said first. */
  all(kind: MarkKind): readonly Mark[] {
    return [...this.#byKey.values()].filter((mark) => mark.kind === kind);
  }

  /** What somebody said, the latest first. */
  by(kind: MarkKind, userId: string): readonly Mark[] {
    return this.all(kind)
      .filter((mark) => mark.userId === userId)
      .toReversed();
  }

  set(mark: Mark): void {
    // First where it survives a kill.
    this.#journal.put(COLLECTION, keyOf(mark), { ...mark });
    this.#remember(mark);
  }

  drop(kind: MarkKind, userId: string, target: string): void {
    const key = keyOf({ kind, userId, target });
    this.#journal.drop(COLLECTION, key);
    this.#byKey.delete(key);
  }

  #remember(mark: Mark): void {
    this.#byKey.set(keyOf(mark), mark);
  }
}

function keyOf({ kind, userId, target }: Pick<Mark, 'kind' | 'userId' | 'target'>): string {
  return `${kind} ${userId} ${target}`;
}
