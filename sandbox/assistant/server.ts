import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { deltasOf, endOf, messageOf } from './answer.ts';
import { replyTo } from './reply.ts';
import { wrongOrder } from './chat-message.ts';
import { nextStep } from './use-tools.ts';

const NAME = 'assistant';
const MODEL = 'sandbox-1';
/** This key is valid in sandboxes only. */
const KEY = 'sandbox-assistant-key';
/** The pause between two words of a streamed answer. */
const PAUSE_MS = 20;

const Call = z.object({ id: z.string(), type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) });
const Message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z
      .string()
      .nullish()
      .transform((content) => content ?? ''),
    tool_calls: z.array(Call).min(1).optional(),
  }),
  z.object({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() }),
]);
const Tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/u),
    description: z.string().optional(),
    parameters: z.object({ type: z.literal('object') }).optional(),
  }),
});
const Request = z.object({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).min(1).max(128).optional(),
  tool_choice: z.enum(['none', 'auto']).default('auto'),
  stream: z.boolean().default(false),
});

/** An OpenAI-compatible server with a scripted model that knows the streams of the world. */
export function assistantServer({ world, clock, url }: SandboxContext): PlatformServer {
  const routes = new Hono();

  routes.use(async (c, next) => {
    if (c.req.header('authorization') !== `Bearer ${KEY}`) return c.json(refusal('The API key is not valid.'), 401);
    return next();
  });

  routes.get('/v1/models', (c) => c.json({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'sandbox' }] }));

  routes.post('/v1/chat/completions', async (c) => {
    const request = Request.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return c.json(refusal(z.prettifyError(request.error)), 400);
    const { model, messages, tools = [], tool_choice, stream } = request.data;
    const order = wrongOrder(messages);
    if (order !== undefined) return c.json(refusal(order), 400);
    if (model !== MODEL) return c.json(refusal(`There is no model ${model}; there is ${MODEL}.`), 404);

    const offered = new Set(tool_choice === 'none' ? [] : tools.map((tool) => tool.function.name));
    const surroundings = { world, nowMs: clock.nowMs() };
    const step = tools.length > 0 ? nextStep(messages, offered, surroundings) : replyTo(messages, surroundings);
    const callId = `call_${messages.length}`;
    const head = { id: `chatcmpl-${messages.length}`, created: Math.floor(clock.nowMs() / 1000), model };
    if (!stream) {
      const choice = { index: 0, message: messageOf(step, callId), finish_reason: endOf(step) };
      return c.json({ ...head, object: 'chat.completion', choices: [choice] });
    }
    return streamSSE(c, async (events) => {
      const send = (delta: object, finish_reason: string | null): Promise<void> =>
        events.writeSSE({
          data: JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }),
        });
      for (const [index, delta] of deltasOf(step, callId).entries()) {
        if (events.aborted) return;
        if (index > 0) await clock.sleep(PAUSE_MS);
        await send(delta, null);
      }
      await send({}, endOf(step));
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
