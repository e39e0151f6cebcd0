import { z } from 'zod';

/** The form of the names of commands and options in Discord. */
const NAME = /^[-_\p{Ll}\p{Lo}\p{Lm}\p{N}]{1,32}$/u;

/** The commands of Fanfare in English and German. Discord shows the German ones to members with that language. */
export const FANFARE_COMMANDS: readonly string[] = (
  'ask automation clips conversation deliveries follow game help live pings post resolve search setup social status top user videos ' +
  'benachrichtigungen einrichten folgen frag gespräch hilfe kanal klären spiel suche zustellungen'
).split(' ');

/** Whether Discord accepts the name of a command or of an option. */
export function isCommandName(name: string): boolean {
  return NAME.test(name);
}

/** The longest description of a command or an option. */
export const LONGEST_DESCRIPTION = 100;
/** The most options of a command. */
export const MOST_OPTIONS = 25;

/** An option of a command, as written. */
const OptionFile = z.strictObject({
  type: z
    .enum(['string', 'integer', 'boolean', 'choice', 'user', 'channel'])
    .describe(
      'The kind of value. A `user` and a `channel` are of the server, and the member can see the channel and its earlier messages.',
    ),
  about: z.string().min(1).max(LONGEST_DESCRIPTION).describe('The description that Discord shows, with at most 100 characters.'),
  required: z.boolean().optional().describe('Whether members have to give a value. Default: false.'),
  choices: z.array(z.string().min(1).max(100)).min(1).max(25).optional().describe('The texts of a `choice`, at most 25.'),
});

/** The keys of `when` of a rule that answers a command. */
export const commandKeys = {
  command: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A slash command that Discord offers in the server of `account`. The rule runs when a member uses it, without polls, and answers with `discord.answer`. `about` is its description.',
    ),
  options: z
    .record(z.string(), OptionFile)
    .optional()
    .describe('The options of the command, by name, at most 25. Expressions read the values as `command.options.<name>`.'),
  roles: z
    .array(z.string().min(1))
    .min(1)
    .max(25)
    .optional()
    .describe('The roles whose members may use the command, by name or id. Administrators always may. Default: all members.'),
  public: z.boolean().optional().describe('Whether everyone in the channel sees the answer. Default: false: only the member does.'),
};

/** The keys of `when` that need `command`. */
export const ABOUT_COMMAND = ['options', 'roles', 'public'] as const;
