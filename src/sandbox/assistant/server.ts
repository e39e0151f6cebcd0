import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { replyTo } from './reply.ts';

const NAME = 'assistant';
const MODEL = 'sandbox-1';
/** Opens nothing but a sandbox. */
const KEY = 'sandbox-assistant-key';
/** Between two words, so that one can watch the answer being written. */
const PAUSE_MS = 20;

const Request = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1),
  stream: z.boolean().default(false),
});

/** A model behind an OpenAI-compatible address: it answers from a script, and knows who is live in the world. */
export function assistantServer({ world, clock, url }: SandboxContext): PlatformServer {
  const routes = new Hono();

  routes.use(async (c, next) => {
    if (c.req.header('authorization') !== `Bearer ${KEY}`) return c.json(refusal('This API key opens nothing here.'), 401);
    return next();
  });

  routes.get('/v1/models', (c) => c.json({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'sandbox' }] }));

  routes.post('/v1/chat/completions', async (c) => {
    const request = Request.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return c.json(refusal(z.prettifyError(request.error)), 400);
    const { model, messages, stream } = request.data;
    if (model !== MODEL) return c.json(refusal(`There is no model ${model}; there is ${MODEL}.`), 404);

    const answer = replyTo(messages, { world, nowMs: clock.nowMs() });
    const head = { id: `chatcmpl-${messages.length}`, created: Math.floor(clock.nowMs() / 1000), model };
    if (!stream) {
      const choice = { index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' };
      return c.json({ ...head, object: 'chat.completion', choices: [choice] });
    }
    return streamSSE(c, async (events) => {
      const send = (delta: object, finish_reason: 'stop' | null): Promise<void> =>
        events.writeSSE({
          data: JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }),
        });
      await send({ role: 'assistant', content: '' }, null);
      for (const word of answer.match(/\s*\S+/g) ?? []) {
        if (events.aborted) return;
        await send({ content: word }, null);
        await clock.sleep(PAUSE_MS);
      }
      await send({}, 'stop');
      await events.writeSSE({ data: '[DONE]' });
    });
  });

  return {
    name: NAME,
    routes,
    environment: () => ({ ASSISTANT_URL: `${url()}/${NAME}/v1`, ASSISTANT_API_KEY: KEY, ASSISTANT_MODEL: MODEL }),
  };
}

function refusal(message: string): { readonly error: { readonly message: string; readonly type: string } } {
  return { error: { message, type: 'invalid_request_error' } };
}
