import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { CheckedCommandForm, indexOfRepeated, withoutLocalizations } from '../commands/form.ts';
import { type Command, toCommand } from '../commands/store.ts';
import { parseForm } from '../form.ts';
import { answer, editAnswer, findAnswer, followUp } from '../interactions/answering.ts';
import { CALLBACKS } from '../interactions/callback-form.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { FLAGS, type Message, hasFlag } from '../messages/message.ts';
import { remove } from '../messages/posting.ts';
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
const CommandChange = z.record(z.string(), z.unknown());

/** The commands of the application, everywhere and in a guild. */
export function commandRoutes(discord: Discord): Hono {
  return new Hono().route('/applications/:application/commands', routesOf(discord, checkApplication)).route(
    '/applications/:application/guilds/:guild/commands',
    routesOf(discord, (c) => {
      checkApplication(c);
      guildOf(discord, c);
    }),
  );
}

/** The same five for both; `check` refuses whose they are not. */
function routesOf({ commands, limits }: Discord, check: (c: Context) => void): Hono {
  const guildIdOf = (c: Context) => c.req.param('guild');
  const commandOf = (c: Context): Command => {
    const command = commands.find(guildIdOf(c), idOf(c, 'command'));
    if (!command) throw refusals.unknownCommand();
    return command;
  };
  return new Hono()
    .use(async (c, next) => {
      check(c);
      await next();
    })
    .get('/', limited(limits, 'guild', 'guild'), (c) => {
      const all = commands.in(guildIdOf(c)).map(toCommand);
      return c.json(c.req.query('with_localizations') === 'true' ? all : all.map(withoutLocalizations));
    })
    .put('/', limited(limits, 'commands', 'guild'), async (c) => {
      const forms = await readForm(c, CommandForms);
      return c.json(commands.replaceAll(guildIdOf(c), forms).map(toCommand));
    })
    .post('/', limited(limits, 'commands', 'guild'), async (c) => {
      const { command, isNew } = commands.put(guildIdOf(c), await readForm(c, CheckedCommandForm));
      return c.json(toCommand(command), isNew ? 201 : 200);
    })
    .get('/:command', limited(limits, 'guild', 'guild'), (c) => c.json(toCommand(commandOf(c))))
    .patch('/:command', limited(limits, 'commands', 'guild'), async (c) => {
      const command = commandOf(c);
      const change = await readForm(c, CommandChange);
      const form = parseForm(CheckedCommandForm, { ...command.form, ...change, type: command.form.type });
      return c.json(toCommand(commands.change(command, form)));
    })
    .delete('/:command', limited(limits, 'commands', 'guild'), (c) => {
      commands.drop(commandOf(c).id);
      return c.body(null, 204);
    });
}

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
