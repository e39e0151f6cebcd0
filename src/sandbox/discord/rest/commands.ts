import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { toCommand, type Command } from '../commands/store.ts';
import { CheckedCommandForm } from '../commands/form.ts';
import { indexOfRepeated, withoutLocalizations } from '../commands/localized.ts';
import { parseForm } from '../form.ts';
import type { Discord } from '../parts.ts';
import { refusals } from '../refusal.ts';
import { readForm } from './body.ts';
import { checkApplication, guildOf, idOf } from './lookups.ts';
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
