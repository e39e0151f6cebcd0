import { Agent, type Dispatcher } from 'undici';
import { untilAborted, type Clock } from '#src/clock.ts';
import { type ErrorMeaning, faultOfStatus, responseError } from './errors.ts';
import type { RawResponse } from './exchange.ts';
import { USER_AGENT } from './user-agent.ts';

/** The longest wait for a connection, and for the head of the response. */
const CONNECT_MS = 15_000;
/** The part of a refusal that is read. */
const MOST_REFUSAL_BYTES = 64_000;

export interface LineStreamOptions {
  readonly platform: string;
  readonly url: string;
  /** They may have secrets, which no log and no error shows. */
  readonly headers: Readonly<Record<string, string>>;
  /** A longer line ends the stream. */
  readonly mostCharacters: number;
  /** The stream is lost if no byte comes for this time. */
  readonly silentMs: number;
  /** The meaning of a refusal; undefined: the usual one of its status. */
  readonly faultOf: (response: RawResponse) => ErrorMeaning | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when the server begins the stream. */
  readonly onOpen: () => void;
  /** Called with each line that is not empty. */
  readonly onLine: (line: string) => void;
}

/** Reads the lines of a response that does not end. Rejects when it is lost, with the refusal of the server, or with the reason of `signal`. */
export async function keepLines(options: LineStreamOptions): Promise<never> {
  const { platform, silentMs, clock, signal } = options;
  signal.throwIfAborted();
  const ended = new AbortController();
  const { promise: silent, reject: lose } = Promise.withResolvers<never>();
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: CONNECT_MS, bodyTimeout: 0 });
  let heardMs = clock.nowMs();

  /** Silence is the only sign of a connection that was lost without an end. */
  const watch = async (): Promise<void> => {
    for (;;) {
      const leftMs = heardMs + silentMs - clock.nowMs();
      if (leftMs <= 0) return lose(new Error(`${platform} was silent for ${silentMs / 1_000} seconds`));
      await clock.sleep(leftMs, ended.signal);
    }
  };
  const onBytes = (): void => {
    heardMs = clock.nowMs();
  };
  watch().catch(() => undefined);
  try {
    const reading = readLines({ ...options, signal: ended.signal, agent, onBytes });
    return await untilAborted(Promise.race([silent, reading]), signal);
  } finally {
    ended.abort();
    agent.destroy().catch(() => undefined);
  }
}

interface ReadOptions extends LineStreamOptions {
  readonly agent: Dispatcher;
  readonly onBytes: () => void;
}

async function readLines({ platform, url, headers, mostCharacters, onOpen, onLine, onBytes, ...options }: ReadOptions): Promise<never> {
  const { agent, faultOf, clock, signal } = options;
  const { origin, pathname: path, search } = new URL(url);
  const request = { origin, path: path + search, method: 'GET', headers: { 'user-agent': USER_AGENT, ...headers }, signal } as const;
  const response = await agent.request(request);
  const { statusCode: status, body } = response;
  if (status !== 200) {
    const refusal = { status, headers: response.headers, text: await beginningOf(body) };
    const meaning = faultOf(refusal) ?? faultOfStatus(status) ?? 'malformed';
    throw responseError({ platform, method: 'GET', path, refusesInJson: true }, refusal, meaning, clock.nowMs());
  }
  onBytes();
  onOpen();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    // undici has no type for the parts of a body
    onBytes();
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
    if (rest.length > mostCharacters) throw new Error(`${platform} sent a line of more than ${mostCharacters} characters`);
  }
  throw new Error(`${platform} ended the stream`);
}

async function beginningOf(body: AsyncIterable<unknown>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    // as above
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MOST_REFUSAL_BYTES) break;
  }
  return text;
}
