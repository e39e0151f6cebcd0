import { z } from 'zod';
import type { SandboxWrite } from './sandbox-records.ts';

const name = (about: string) => z.string().min(1).max(100).describe(about);
const user = name('The handle or the id of the member.');
const guild = name('The name or the id of the server; absent: the server of the channel.').optional();

/** The writes of the simulated Discord. A member of it can be the owner of the server, so they need the role `admin`. */
export const SANDBOX_DISCORD_WRITES = {
  sendSandboxInteraction: {
    path: '/api/sandbox/discord/interactions',
    summary: 'Use the bot in the simulated Discord',
    needs: 'admin',
    body: z.strictObject({
      user,
      guild,
      locale: z.string().max(10).describe('The language of the member, as Discord names it.').optional(),
      channel: name('The channel of a command.').optional(),
      command: z.string().min(1).max(200).describe('The command with its subcommand, for example `post now`.').optional(),
      options: z
        .record(z.string().max(100), z.union([z.string().max(6000), z.number(), z.boolean()]))
        .describe('The options of the command by name.')
        .optional(),
      focused: name('The option that the member still types. The answer then has the `choices` of the bot.').optional(),
      message: name('The id of the message with the button or the menu.').optional(),
      customId: name('The custom id of the button or the menu.').optional(),
      values: z.array(z.string().max(100)).max(25).describe('The chosen values of a menu.').optional(),
      menu: name('The chosen entry in the menu of a message.').optional(),
      modal: name('The id of the interaction that opened the form.').optional(),
      fields: z
        .record(z.string().max(100), z.union([z.string().max(4000), z.array(z.string().max(100)).max(25)]))
        .describe('The texts and the choices of the form by custom id.')
        .optional(),
    }),
    answer: ['SandboxInteraction', 'The first answer of the bot.'],
  },
  writeSandboxMessage: {
    path: '/api/sandbox/discord/messages',
    summary: 'Write a message in the simulated Discord',
    needs: 'admin',
    body: z.strictObject({
      user,
      guild,
      channel: name('The name or the id of the channel.'),
      content: z.string().min(1).max(2000).describe('The text.'),
    }),
    answer: ['SandboxWritten', 'The message is written.'],
  },
} as const satisfies Readonly<Record<string, SandboxWrite>>;
