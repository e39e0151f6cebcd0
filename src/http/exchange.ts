import { errors, request, type Dispatcher } from 'undici';
import type { Headers } from './rate-headers.ts';
import { untilAborted } from './until-aborted.ts';

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

/** Sends one request and reads the whole answer. */
export async function exchange(dispatcher: Dispatcher, { method, url, headers, body, timeoutMs, signal }: Sending): Promise<Answer> {
  let sent = false;
  const noting = noteStart(dispatcher, () => {
    sent = true;
  });
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  try {
    signal?.throwIfAborted();
    const answering = request(url, { dispatcher: noting, method, headers, body: body ?? null, signal: signal ?? null, ...limits });
    // undici looks at the signal only once it has a connection.
    const answer = await untilAborted(answering, signal);
    return { status: answer.statusCode, headers: answer.headers, text: await readText(answer) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof errors.InvalidArgumentError) throw cause;
    throw new NoAnswer({ sent, cause });
  }
}

/** The same dispatcher, telling when the request is about to be written to a connection. */
function noteStart(dispatcher: Dispatcher, onStart: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context: unknown) => {
          onStart();
          handler.onRequestStart?.(controller, context);
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
}

/** The body; that of a failure may break off, since its status has said enough. */
async function readText({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    if (statusCode >= 400) return '';
    throw error;
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
