import { errors, request } from 'undici';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { credentialRemover } from '#src/http/credentials.ts';
import { contentError, networkError, type RequestInfo, responseError } from '#src/http/errors.ts';
import { NoResponse } from '#src/http/exchange.ts';
import { isNotSent } from '#src/http/outcome.ts';
import { urlOf } from '#src/http/request-parts.ts';
import { contentProblem, refusalOf } from './errors.ts';

/** The most characters of an event. */
const LONGEST_EVENT = 1024 * 1024;

/** The data of each server-sent event in a body, as it arrives. */
async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let data: string[] = [];
  let length = 0;
  for await (const line of linesIn(body)) {
    length = line === '' ? 0 : length + line.length;
    if (length > LONGEST_EVENT) throw new errors.ResponseExceededMaxSizeError();
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
  if (data.length > 0) yield data.join('\n');
}

async function* linesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_EVENT) throw new errors.ResponseExceededMaxSizeError();
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Characters that no person sees, for example tag characters and marks of direction: a text of a platform can hide an instruction in them, or
 * show another text than the model reads. Joiners and the variation of emoji stay, because words and emoji need them.
 */
const HIDDEN = /[[\p{Default_Ignorable_Code_Point}\p{Cc}]--[\u200C-\u200D]--[\uFE0F]]/gv;

/** The longest pause before and between two events. Keep-alive bytes do not count. */
const LONGEST_PAUSE_MS = 60_000;

interface StreamRequest {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: object & { readonly model: string };
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Yields the data of each event as it arrives. Every failure, even in the middle, is a `PlatformError`. */
export async function* postStreaming({ url, path, apiKey, body, clock, signal }: StreamRequest): AsyncGenerator<string, void> {
  const asked: RequestInfo = { platform: 'openai', method: 'POST', path, host: new URL(url).host };
  const sent = {
    url: urlOf(url, path),
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'Fanfare',
    },
    body: undefined,
  };
  const removeCredentials = credentialRemover(sent);
  const timeout = new AbortController();
  let waiting = new AbortController();
  const startTimeout = (): void => {
    waiting = new AbortController();
    clock.sleep(LONGEST_PAUSE_MS, waiting.signal).then(
      () => timeout.abort(),
      () => undefined,
    );
  };
  let isAnswered = false;
  try {
    startTimeout();
    const answer = await request(sent.url, {
      method: 'POST',
      headers: sent.headers,
      body: JSON.stringify(body).replaceAll(HIDDEN, ''),
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    });
    const { statusCode: status, headers } = answer;
    if (status < 200 || status >= 300) {
      const refusal = { status, headers, text: removeCredentials(await beginningOf(answer.body)) };
      throw responseError(asked, refusal, refusalOf(status, refusal.text, body) ?? 'malformed', clock.nowMs());
    }
    for await (const event of eventsIn(answer.body)) {
      isAnswered = true;
      waiting.abort();
      // An error in the middle may repeat the key.
      yield removeCredentials(event);
      startTimeout();
    }
    if (!isAnswered) throw contentError(asked, status, contentProblem(headers['content-type']));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof PlatformError) throw cause;
    const failure = new NoResponse({ sent: timeout.signal.aborted || !isNotSent(cause), cause });
    throw isAnswered ? brokenOff(failure.message, cause) : networkError(asked, failure);
  } finally {
    waiting.abort();
  }
}

/** The error for an answer that ends before it is complete. */
export function brokenOff(reason: string, cause?: unknown): PlatformError {
  return new PlatformError(`openai: the response broke off (${reason}): try again later.`, {
    platform: 'openai',
    fault: 'unanswered',
    cause,
  });
}

/** The part of an error body that is read. */
const LONGEST_ERROR = 16_384;

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= LONGEST_ERROR) break;
  }
  return text;
}
