/** Parts of the process, in the order in which they start. Each gets what the parts before it give. */
export interface Parts<Given extends object> {
  /** Adds a part. Its result is for the parts after it; if that is disposable, the part stops by its disposal. */
  with<Gives extends object>(part: (given: Given) => Gives | Promise<Gives>): Parts<Given & Gives>;
  /** Starts the parts one after the other. If one fails, or after an abort of `stopping`, those before it stop, in reverse order. */
  start(): Promise<StartedParts<Given>>;
}

/** Started parts. They stop in reverse order. */
interface StartedParts<Given> extends AsyncDisposable {
  readonly given: Given;
}

/** A process without parts. `stopping` aborts before the first part stops, so that all parts stop their work at once. */
export function partsWith<Given extends object>(given: Given, stopping: AbortController): Parts<Given> {
  return partsAfter(() => Promise.resolve(given), stopping);
}

function partsAfter<Given extends object>(
  startBefore: (stack: AsyncDisposableStack) => Promise<Given>,
  stopping: AbortController,
): Parts<Given> {
  return {
    with: (part) =>
      partsAfter(async (stack) => {
        const given = await startBefore(stack);
        stopping.signal.throwIfAborted();
        const gives = await part(given);
        if (isDisposable(gives)) stack.use(gives);
        return { ...given, ...gives };
      }, stopping),

    async start() {
      await using stack = new AsyncDisposableStack();
      // It is disposed of before the parts.
      await using beforeAll = new AsyncDisposableStack();
      beforeAll.defer(() => stopping.abort());
      const given = await startBefore(stack);
      stack.use(beforeAll.move());
      const started = stack.move();
      return { given, [Symbol.asyncDispose]: () => started.disposeAsync() };
    },
  };
}

/** Work that a part begins at its start. The part stops when the work has ended. */
export function working(...work: readonly Promise<unknown>[]): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(work)) };
}

function isDisposable(part: object): part is AsyncDisposable {
  return Symbol.asyncDispose in part;
}
