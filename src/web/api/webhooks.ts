import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { WebhookReceiver } from '#src/admin/incoming-webhooks/receive-webhooks.ts';
import { answerProblem, Problem } from '#src/web/problem.ts';

/** Answers a request to a webhook of a rule. The secret of the sender takes the place of a sign-in. */
export async function answerWebhook(c: Context, receiver: WebhookReceiver): Promise<Response> {
  const name = c.req.param('name') ?? '';
  const maxSize = receiver.maxBytes(name);
  const detail = `The body has more than ${maxSize} bytes. The key maxSize of the rule allows more.`;
  const tooLarge = new Problem({ status: 413, code: 'tooLarge', detail });
  let answer: Response | undefined;
  const refused = await bodyLimit({ maxSize, onError: (one) => answerProblem(one, tooLarge) })(c, async () => {
    answer = await answerReceived(c, name, receiver);
  });
  return refused ?? answer ?? answerProblem(c, tooLarge);
}

async function answerReceived(c: Context, name: string, receiver: WebhookReceiver): Promise<Response> {
  const answer = await receiver.receive({
    name,
    header: (one) => c.req.header(one),
    queryToken: c.req.query('token'),
    body: new Uint8Array(await c.req.arrayBuffer()),
  });
  if (answer.status === 202) return c.body(null, 202);
  const { retryAfterSeconds, ...details } = answer;
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return answerProblem(c, new Problem(details, headers));
}
