import { errors, FormData, type Dispatcher } from 'undici';
import { codeOf } from '#src/errors.ts';
import type { Headers } from './rate-headers.ts';

/** The time limit of a whole body, as a multiple of the limit for one piece. */
const MOST_WAITS = 3;
/** The slowest supported line for uploads: 0.5 Mbit/s. */
const SLOWEST_BYTES_PER_S = 62_500;
/** The largest body that is read. */
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** A request on the wire. */
export interface RawRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | FormData | undefined;
  /** The longest wait for the head of the response, after the body was sent, and for each piece of its body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A response with any status. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The request has no response; `sent` is false if it certainly was not sent. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly sent: boolean;
  /** The bytes that came were no HTTP response. */
  readonly garbled: boolean;

  constructor({ sent, cause }: { readonly sent: boolean; readonly cause: unknown }) {
    const unparsed = cause instanceof errors.HTTPParserError;
    // The error of the parser contains the bytes.
    super(unparsed ? 'not an HTTP response' : (codeOf(cause) ?? 'unknown'), { cause: unparsed ? undefined : cause });
    this.sent = sent;
    this.garbled = unparsed || cause instanceof errors.ResponseExceededMaxSizeError;
  }
}

/** Sends one request and reads the whole response; an abort rejects at once with the reason of the signal. */
export async function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, body, timeoutMs, signal }: RawRequest,
): Promise<RawResponse> {
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  // undici waits for the head while it sends the body.
  const limits = { headersTimeout: timeoutMs + longestSendMs(body), bodyTimeout: timeoutMs };
  const receiver = new Receiver(signal, timeoutMs * MOST_WAITS);
  signal?.addEventListener('abort', receiver.stop, { once: true });
  try {
    dispatcher.dispatch({ origin, path: pathname + search, method, headers, body: body ?? null, ...limits }, receiver);
    return await receiver.answer;
  } finally {
    signal?.removeEventListener('abort', receiver.stop);
  }
}

/** How long a slow line takes to send a body. */
export function longestSendMs(body: RawRequest['body']): number {
  return Math.ceil((bytesIn(body) * 1_000) / SLOWEST_BYTES_PER_S);
}

function bytesIn(body: RawRequest['body']): number {
  if (body instanceof FormData) return body.values().reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.size), 0);
  return body === undefined ? 0 : Buffer.byteLength(body);
}

/** Decodes UTF-8 and removes a byte order mark. */
function textOf(pieces: readonly Buffer[]): string {
  const [first, ...rest] = pieces;
  const text = (rest.length === 0 ? first : Buffer.concat(pieces))?.toString('utf8') ?? '';
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Assembles a response from the events of undici, without a stream. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #answer = Promise.withResolvers<RawResponse>();
  readonly #signal: AbortSignal | undefined;
  readonly #longestMs: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #begunMs = 0;
  /** Set just before the request is written to a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<RawResponse, 'text'> | undefined;

  constructor(signal: AbortSignal | undefined, longestMs: number) {
    this.#signal = signal;
    this.#longestMs = longestMs;
  }

  get answer(): Promise<RawResponse> {
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
    // Informational responses (100, 103) come first, so the last head counts.
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
    // The status of a failure and the beginning of its body are enough.
    if (this.#head && this.#head.status >= 400) this.#answer.resolve({ ...this.#head, text: textOf(this.#pieces) });
    else if (cause instanceof errors.InvalidArgumentError) this.#answer.reject(cause);
    else this.#answer.reject(new NoResponse({ sent: this.#controller !== undefined, cause }));
  }
}
