import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { CheckedCommandForm, indexOfRepeated, withoutLocalizations } from '../commands/form.ts';
import { toCommand } from '../commands/store.ts';
import { answer, editAnswer, findAnswer, followUp } from '../interactions/answer.ts';
import type { Interaction } from '../interactions/interaction.ts';
import type { Message } from '../messages/message.ts';
import { remove } from '../messages/post.ts';
import { toMessage } from '../messages/wire.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { readBody, readForm } from './body.ts';
import { checkApplication, guildOf, idOf } from './guild.ts';
import { limited } from './rate-limits.ts';

const MAX_COMMANDS = 100;
const CommandForms = z
  .array(CheckedCommandForm)
  .max(MAX_COMMANDS)
  .superRefine((forms, context) => {
    const repeated = [1, 2, 3].map((type) => indexOfRepeated(forms.filter((form) => form.type === type)));
    if (repeated.every((index) => index < 0)) return;
    const params = { code: 'APPLICATION_COMMANDS_DUPLICATE_NAME' };
    context.addIssue({ code: 'custom', path: [], params, message: 'Application command names must be unique' });
  });

/** The commands of the application: the global commands and the commands of a guild. */
export function commandRoutes(discord: Discord): Hono {
  const { commands, limits } = discord;
  const guildIdOf = (c: Context): string | undefined => {
    checkApplication(c);
    return c.req.param('guild') === undefined ? undefined : guildOf(discord, c).id;
  };
  const routes = new Hono();
  for (const path of ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']) {
    routes
      .get(path, limited(limits, 'guild', 'guild'), (c) => {
        const all = commands.in(guildIdOf(c)).map(toCommand);
        return c.json(c.req.query('with_localizations') === 'true' ? all : all.map(withoutLocalizations));
      })
      .put(path, limited(limits, 'commands', 'guild'), async (c) => {
        const guildId = guildIdOf(c);
        return c.json(commands.replaceAll(guildId, await readForm(c, CommandForms)).map(toCommand));
      });
  }
  return routes;
}

/** Answers to interactions. The token in the path is the authorization. */
export function interactionRoutes(discord: Discord): Hono {
  const limit = limited(discord.limits, 'webhook', 'token');
  return new Hono()
    .post('/interactions/:interaction/:token/callback', async (c) => {
      // Reading the body takes time. A second answer must find the first one, so the interaction is looked up after it.
      const { json, uploads } = await readBody(c);
      const interaction = discord.interactions.findWaiting(idOf(c, 'interaction'), c.req.param('token'));
      answer(discord, interaction, json, uploads);
      return c.body(null, 204);
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
