import { createHash } from 'node:crypto';
import {
  RENEWED_EVERY_MS,
  REPEATED_WITHIN_MS,
  type KeptAnswer,
  type RepeatedRequests,
  type RequestKey,
} from '#src/admin/actions/repeated-requests.ts';
import type { Clock } from '#src/clock.ts';
import { bodyOf, Problem, type ProblemDetails } from '#src/web/problem.ts';

/** A request that its sender may repeat. */
interface RepeatableRequest extends RequestKey {
  /** What is requested. */
  readonly content: unknown;
}

/** Answers a request once, and its repeats with the same answer. */
export type AnswerOnce = (request: RepeatableRequest, answer: () => Promise<KeptAnswer>) => Promise<KeptAnswer>;

/** Refusals are kept like results. After another failure, a repeat tries again. */
const KEPT_PROBLEMS: ReadonlySet<number> = new Set([404, 409]);

const REUSED = new Problem({
  status: 422,
  code: 'keyReused',
  detail: 'This Idempotency-Key was used for another request. Choose another key.',
});
const RUNNING = new Problem(
  { status: 409, code: 'stillRunning', detail: 'The request with this Idempotency-Key still runs. Repeat it later.' },
  { 'Retry-After': '1' },
);

/** Answers each request once in all processes. In this process, a repeat waits for the answer of the first. */
export function createAnswerOnce(requests: RepeatedRequests, clock: Clock): AnswerOnce {
  const running = new Map<string, { readonly fingerprint: string; readonly answer: Promise<KeptAnswer> }>();

  async function answerFirst(request: RequestKey, fingerprint: string, answer: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const known = await requests.claim({ ...request, fingerprint });
    if (known && known.fingerprint !== fingerprint) throw REUSED;
    if (known) {
      if (!known.answer) throw RUNNING;
      return known.answer;
    }
    let made: KeptAnswer;
    try {
      made = await whileRenewed(request, () => withRefusals(answer));
    } catch (error) {
      // Without an answer of the database, the key is free later.
      await requests.release(request).catch(() => undefined);
      throw error;
    }
    await requests.answer(request, made).catch((error: unknown) => {
      void keepLater(request, made);
      throw error;
    });
    return made;
  }

  /** Keeps an answer that could not be kept. The action is done, so the key must not become free. */
  async function keepLater(request: RequestKey, made: KeptAnswer): Promise<void> {
    for (const endMs = clock.nowMs() + REPEATED_WITHIN_MS; clock.nowMs() < endMs;) {
      await clock.sleep(RENEWED_EVERY_MS);
      const isKept = await requests.answer(request, made).then(
        () => true,
        () => false,
      );
      if (isKept) return;
    }
  }

  /** Renews the claim until the answer is there. */
  async function whileRenewed<T>(request: RequestKey, run: () => Promise<T>): Promise<T> {
    const end = new AbortController();
    const renewing = (async () => {
      for (;;) {
        await clock.sleep(RENEWED_EVERY_MS, end.signal);
        // While the database does not answer, no other process can claim the key.
        await requests.renew(request).catch(() => undefined);
      }
    })().catch(() => undefined); // the end of the request
    try {
      return await run();
    } finally {
      end.abort();
      await renewing;
    }
  }

  return async ({ actor, key, content }, answer) => {
    const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
    const name = JSON.stringify([actor, key]);
    const same = running.get(name);
    if (same) {
      if (same.fingerprint !== fingerprint) throw REUSED;
      return same.answer;
    }
    const first = answerFirst({ actor, key }, fingerprint, answer).finally(() => running.delete(name));
    running.set(name, { fingerprint, answer: first });
    return first;
  };
}

async function withRefusals(answer: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Problem) || !KEPT_PROBLEMS.has(error.details.status)) throw error;
    return toAnswer(error.details);
  }
}

function toAnswer(details: ProblemDetails): KeptAnswer {
  return { status: details.status, body: bodyOf(details) };
}
