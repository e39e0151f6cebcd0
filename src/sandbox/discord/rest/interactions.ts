import { Hono, type Context } from 'hono';
import { CALLBACKS } from '../interactions/callback-form.ts';
import { answer, editAnswer, findAnswer, followUp } from '../interactions/answering.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { FLAGS, hasFlag, type Message } from '../messages/message.ts';
import { remove } from '../messages/posting.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { readBody } from './body.ts';
import { checkApplication, idOf } from './lookups.ts';
import { limited } from './rate-limits.ts';

/** Answers to interactions; their tokens are all the authorization that they need. */
export function interactionRoutes(discord: Discord): Hono {
  const limit = limited(discord.limits, 'webhook', 'token');
  return new Hono()
    .post('/interactions/:interaction/:token/callback', async (c) => {
      // First the body: of two answers at once, the second shall find the first.
      const { json, uploads } = await readBody(c);
      const interaction = discord.interactions.findWaiting(idOf(c, 'interaction'), c.req.param('token'));
      const { type } = answer(discord, interaction, json, uploads);
      return c.req.query('with_response') === 'true' ? c.json(toCallbackResponse(discord, interaction, type)) : c.body(null, 204);
    })
    .post('/webhooks/:application/:token', limit, async (c) => {
      const { json, uploads } = await readBody(c);
      return c.json(toMessage(discord, followUp(discord, interactionOf(discord, c), json, uploads)));
    })
    .get('/webhooks/:application/:token/messages/:message', limit, (c) =>
      c.json(toMessage(discord, answerOf(discord, interactionOf(discord, c), c))),
    )
    .patch('/webhooks/:application/:token/messages/:message', limit, async (c) => {
      const { json, uploads } = await readBody(c);
      const interaction = interactionOf(discord, c);
      const message = answerOf(discord, interaction, c);
      return c.json(toMessage(discord, editAnswer(discord, interaction, message, json, uploads)));
    })
    .delete('/webhooks/:application/:token/messages/:message', limit, (c) => {
      remove(discord, answerOf(discord, interactionOf(discord, c), c));
      return c.body(null, 204);
    });
}

function interactionOf(discord: Discord, c: Context): Interaction {
  checkApplication(c);
  return discord.interactions.findAnswered(c.req.param('token') ?? '');
}

function answerOf(discord: Discord, interaction: Interaction, c: Context): Message {
  const id = c.req.param('message') ?? '';
  const message = findAnswer(discord, interaction, id === '@original' ? id : idOf(c, 'message'));
  if (!message) throw refusals.unknownMessage();
  return message;
}

function toCallbackResponse(discord: Discord, interaction: Interaction, type: number) {
  const original = findAnswer(discord, interaction, '@original');
  const shows = type === CALLBACKS.message || type === CALLBACKS.update || type === CALLBACKS.deferredMessage;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.options.type,
      ...(original && {
        response_message_id: original.id,
        response_message_loading: hasFlag(original, FLAGS.Loading),
        response_message_ephemeral: hasFlag(original, FLAGS.Ephemeral),
      }),
    },
    resource: { type, ...(original && shows && { message: toMessage(discord, original) }) },
  };
}
