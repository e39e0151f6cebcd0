import type { Container, Into } from './container.ts';
import type { Page } from './page.ts';

/**
 * A list call. `await` gives the container; `for await` gives the items one by one.
 *
 * The first use sends the first request. Invalid arguments reject there.
 */
export class ContainerPromise<T, C extends Container<T>> implements Promise<C>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'ContainerPromise';
  readonly #into: Into<T, C>;
  readonly #walk: (stop?: AbortSignal) => AsyncGenerator<Page<T>, void>;
  #all: Promise<C> | undefined;

  /** `walk` yields pages until `stop` aborts. Each walk calls it once. */
  constructor(into: Into<T, C>, walk: (stop?: AbortSignal) => AsyncGenerator<Page<T>, void>) {
    this.#into = into;
    this.#walk = walk;
  }

  /** Yields after each page: the container so far and the items of the page. */
  pairs(): AsyncGenerator<[C, readonly T[]], void> {
    return stoppable((stop) => this.#pairs(stop));
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void> {
    return stoppable((stop) => this.#items(stop));
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting the call is the point of this class
  then<A = C, B = never>(
    onFulfilled?: ((container: C) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#container().then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<C | B> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<C> {
    return this.#container().finally(onFinally);
  }

  async *#pairs(stop: AbortSignal): AsyncGenerator<[C, readonly T[]], void> {
    const pages: Page<T>[] = [];
    for await (const page of this.#walk(stop)) {
      pages.push(page);
      yield [new this.#into(pages), page.items];
    }
  }

  async *#items(stop: AbortSignal): AsyncGenerator<T, void> {
    if (this.#all) yield* await this.#all;
    else for await (const page of this.#walk(stop)) yield* page.items;
  }

  #container(): Promise<C> {
    this.#all ??= this.#drain();
    return this.#all;
  }

  async #drain(): Promise<C> {
    const pages: Page<T>[] = [];
    for await (const page of this.#walk()) pages.push(page);
    return new this.#into(pages);
  }
}

/**
 * A generator whose `return` aborts the pending step; that of a plain generator waits for it.
 *
 * An error after the abort ends the generator.
 */
function stoppable<T>(run: (stop: AbortSignal) => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const stop = new AbortController();
  const running = run(stop.signal);
  return {
    async next() {
      try {
        return await running.next();
      } catch (error) {
        if (stop.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    return() {
      stop.abort();
      return running.return();
    },
    throw(error: unknown) {
      stop.abort();
      return running.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return();
    },
  };
}
