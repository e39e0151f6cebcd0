import { request } from 'undici';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { errorOfAnswer, errorOfContent, errorOfSilence, type Asked } from '#src/http/classify.ts';
import { NoAnswer } from '#src/http/exchange.ts';
import { neverLeft } from '#src/http/never-left.ts';
import { urlOf } from '#src/http/request-parts.ts';
import { contentProblem, refusalOf } from './errors.ts';
import { eventsIn } from './events.ts';

/** A model may think for a while before its first word, and between two; that its line is kept alive says nothing of it. */
const LONGEST_PAUSE_MS = 60_000;

export interface StreamRequest {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: object & { readonly model: string };
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The data of each event of the answer as it arrives; a failure, also half-way, is a `PlatformError`. */
export async function* postStreaming({ url, path, apiKey, body, clock, signal }: StreamRequest): AsyncGenerator<string, void> {
  const asked: Asked = { platform: 'openai', method: 'POST', path, host: new URL(url).host };
  const silence = new AbortController();
  let listening = new AbortController();
  const listen = (): void => {
    listening = new AbortController();
    clock.sleep(LONGEST_PAUSE_MS, listening.signal).then(
      () => silence.abort(),
      () => undefined,
    );
  };
  try {
    listen();
    const answer = await request(urlOf(url, path), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'user-agent': 'Fanfare',
      },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    const { statusCode: status, headers } = answer;
    if (status < 200 || status >= 300) {
      const text = await beginningOf(answer.body);
      throw errorOfAnswer(asked, { status, headers, text }, refusalOf(status, text, body) ?? 'malformed', clock.nowMs());
    }
    let isAnswered = false;
    for await (const event of eventsIn(answer.body)) {
      isAnswered = true;
      listening.abort();
      yield event;
      listen();
    }
    if (!isAnswered) throw errorOfContent(asked, status, contentProblem(headers['content-type']));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof PlatformError) throw cause;
    throw errorOfSilence(asked, new NoAnswer({ sent: silence.signal.aborted || !neverLeft(cause), cause }));
  } finally {
    listening.abort();
  }
}

/** More than any error needs. */
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
