import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { NotificationAnswer, Notifications } from '#src/admin/incoming-webhooks/receive-notifications.ts';
import type { NotificationHead } from '#src/clients/operation/notification-request.ts';
import { settlesWithin, type Clock } from '#src/clock.ts';
import { createLimiter, type Limiter } from '#src/clients/operation/limiter.ts';
import { answerProblem, Problem } from '#src/web/problem.ts';

/**
 * The bytes of bodies of an account that are in memory at the same time. Further requests wait, and their senders with them: 512 notifications of
 * Twitch or Kick, or 32 of feeds.
 */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_WAITING = 1_000;
/** A sender that is slower keeps others from sending. */
const BODY_WITHIN_MS = 5_000;
const RETRY_AFTER_S = 60;

const UNKNOWN = new Problem({ status: 404, code: 'accountNotFound', detail: 'No account is notified at this address.' });
const TOO_LARGE = new Problem({ status: 413, code: 'tooLarge', detail: 'The body is larger than a notification of this platform.' });
const TOO_SLOW = new Problem({ status: 408, code: 'tooSlow', detail: 'The body did not arrive within 5 seconds.' });

const BUSY = new Problem(
  { status: 503, code: 'tooManyRequests', detail: 'Too many requests wait. Send it again later.' },
  { 'Retry-After': String(RETRY_AFTER_S) },
);

/** Answers a request of a platform. The proof of the platform takes the place of a sign-in. */
export type AnswerNotification = (c: Context, notifications: Notifications) => Promise<Response>;

/** Creates the answers to requests of platforms. */
export function createNotificationAnswers(clock: Pick<Clock, 'sleep'>): AnswerNotification {
  const places = new Map<string, { readonly acquire: Limiter; waiting: number }>();

  /** Waits for the memory of a body. Undefined: too many others wait. Accounts do not wait for each other. */
  async function reserve(account: string, maxSize: number): Promise<(() => void) | undefined> {
    const place = places.get(account) ?? { acquire: createLimiter(Math.ceil(MOST_BYTES / maxSize)), waiting: 0 };
    places.set(account, place);
    if (place.waiting >= MOST_WAITING) return undefined;
    place.waiting += 1;
    const release = await place.acquire();
    place.waiting -= 1;
    return release;
  }

  return async (c, notifications) => {
    const account = c.req.param('account') ?? '';
    const maxSize = notifications.maxBytes(account);
    if (maxSize === undefined) return answerProblem(c, UNKNOWN);
    const head: NotificationHead = {
      method: c.req.method === 'GET' ? 'GET' : 'POST',
      subscription: c.req.param('subscription') ?? '',
      query: new URL(c.req.url).searchParams,
      header: (name) => c.req.header(name),
    };
    const refusal = await notifications.refuse(account, head);
    if (refusal) return toResponse(c, refusal);
    const release = await reserve(account, maxSize);
    if (!release) return answerProblem(c, BUSY);
    try {
      const body = await readBody(c, maxSize, clock);
      if (body instanceof Response) return body;
      return toResponse(c, await notifications.receive(account, { ...head, body }));
    } finally {
      release();
    }
  };
}

/** The body of a request, or the answer to one that is too large or too slow. */
async function readBody(c: Context, maxSize: number, clock: Pick<Clock, 'sleep'>): Promise<Uint8Array | Response> {
  let body = new Uint8Array();
  const limited = bodyLimit({ maxSize, onError: (one) => answerProblem(one, TOO_LARGE) })(c, async () => {
    body = new Uint8Array(await c.req.arrayBuffer());
  });
  return (await settlesWithin(limited, BODY_WITHIN_MS, clock)) ? ((await limited) ?? body) : answerProblem(c, TOO_SLOW);
}

function toResponse(c: Context, answer: NotificationAnswer): Response {
  if (answer.status === 204) return c.body(null, 204);
  // The text is the challenge of the sender, so a browser must not read it as a page.
  if (answer.status === 200) return c.body(answer.text, 200, { 'Content-Type': 'text/plain; charset=utf-8' });
  const { retryAfterSeconds, ...details } = answer;
  return answerProblem(c, new Problem(details, retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }));
}
