import { errors, type Dispatcher } from 'undici';
import type { Headers } from './rate-headers.ts';

/** A body that trickles in is given up after so many times the wait for one piece of it. */
const MOST_WAITS = 3;
/** Larger is no answer of an API. */
const LARGEST_ANSWER = 32 * 1024 * 1024;

/** One request as it goes over the wire. */
export interface Sending {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Dispatcher.DispatchOptions['body'];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** No answer came; `sent` is false where the request certainly never left. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;
  /** Something came, but nothing that can be read. */
  readonly garbled: boolean;

  constructor({ sent, cause }: { readonly sent: boolean; readonly cause: unknown }) {
    const unparsed = cause instanceof errors.HTTPParserError;
    // The parser's own error holds what it could not parse.
    super(unparsed ? 'no HTTP' : codeOf(cause), { cause: unparsed ? undefined : cause });
    this.sent = sent;
    this.garbled = unparsed || cause instanceof errors.ResponseExceededMaxSizeError;
  }
}

/** Sends one request and reads the whole answer; an abort rejects with the signal's reason at once. */
export async function exchange(dispatcher: Dispatcher, { method, url, headers, body, timeoutMs, signal }: Sending): Promise<Answer> {
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const receiver = new Receiver(signal, timeoutMs * MOST_WAITS);
  signal?.addEventListener('abort', receiver.stop, { once: true });
  try {
    dispatcher.dispatch({ origin, path: pathname + search, method, headers, body: body ?? null, ...limits }, receiver);
    return await receiver.answer;
  } finally {
    signal?.removeEventListener('abort', receiver.stop);
  }
}

/** As UTF-8, without a mark at its beginning. */
function textOf(pieces: readonly Buffer[]): string {
  const [first, ...rest] = pieces;
  const text = (rest.length === 0 ? first : Buffer.concat(pieces))?.toString('utf8') ?? '';
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Puts an answer together from what undici tells of it, without a stream in between. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #signal: AbortSignal | undefined;
  readonly #longestMs: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #begunMs = 0;
  /** There from the moment at which the request is about to be written to a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<Answer, 'text'> | undefined;

  constructor(signal: AbortSignal | undefined, longestMs: number) {
    this.#signal = signal;
    this.#longestMs = longestMs;
  }

  get answer(): Promise<Answer> {
    return this.#answer.promise;
  }

  readonly stop = (): void => {
    this.#answer.reject(this.#signal?.reason);
    this.#controller?.abort(this.#signal?.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted) this.stop();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // The last one counts: 100 and 103 come before the answer.
    this.#head = { status, headers };
    this.#begunMs = performance.now();
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > LARGEST_ANSWER) controller.abort(new errors.ResponseExceededMaxSizeError());
    else if (performance.now() - this.#begunMs > this.#longestMs) controller.abort(new errors.BodyTimeoutError());
  }

  onResponseEnd(): void {
    if (this.#head) this.#answer.resolve({ ...this.#head, text: textOf(this.#pieces) });
  }

  onResponseError(_controller: unknown, cause: Error): void {
    // The body of a failure may break off, since its status has said enough.
    if (this.#head && this.#head.status >= 400) this.#answer.resolve({ ...this.#head, text: '' });
    else if (cause instanceof errors.InvalidArgumentError) this.#answer.reject(cause);
    else this.#answer.reject(new NoAnswer({ sent: this.#controller !== undefined, cause }));
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
