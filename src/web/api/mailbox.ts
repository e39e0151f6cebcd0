export interface MailboxOptions {
  readonly limit: number;
  /** Gets called for the letter that does not fit any more. */
  readonly overflow: () => void;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/** Holds what comes until its one reader takes it, up to a limit. */
export class Mailbox<T> implements AsyncIterable<T> {
  readonly #letters: T[] = [];
  readonly #options: MailboxOptions;
  #wake: () => void = () => undefined;

  constructor(options: MailboxOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  put(letter: T): void {
    if (this.#letters.length >= this.#options.limit) {
      this.#options.overflow();
      return;
    }
    this.#letters.push(letter);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (!this.#options.signal.aborted) {
      const letter = this.#letters.shift();
      if (letter !== undefined) {
        yield letter;
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
