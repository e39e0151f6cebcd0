import { request } from 'undici';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { errorOfAnswer, errorOfSilence, faultOfStatus, type Asked } from '#src/http/classify.ts';
import { NoAnswer } from '#src/http/exchange.ts';
import { neverLeft } from '#src/http/never-left.ts';
import { urlOf } from '#src/http/request-parts.ts';

/** A model may think for a while before its first word, and between two. */
const TIMEOUT_MS = 60_000;

export interface StreamRequest {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: object;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The body of the answer as it arrives; a failure, also half-way, is a `PlatformError`. */
export async function* postStreaming({ url, path, apiKey, body, clock, signal }: StreamRequest): AsyncGenerator<Uint8Array, void> {
  const asked: Asked = { platform: 'openai', method: 'POST', path };
  try {
    const answer = await request(urlOf(url, path), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'user-agent': 'Fanfare',
      },
      body: JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: signal ?? null,
    });
    const { statusCode: status, headers } = answer;
    const fault = faultOfStatus(status);
    if (fault) {
      await answer.body.dump();
      throw errorOfAnswer(asked, { status, headers, text: '' }, fault, clock.nowMs());
    }
    yield* answer.body;
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof PlatformError) throw cause;
    throw errorOfSilence(asked, new NoAnswer({ sent: !neverLeft(cause), cause }));
  }
}
