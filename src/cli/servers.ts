import type { Command } from 'commander';
import { z } from 'zod';
import { ServerAnswer, toServerAnswer } from '#src/admin/queries/server-answer.ts';
import { LEFT_DAYS } from '#src/admin/servers/server-store.ts';
import { answering } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import type { Terminal } from './terminal.ts';

type ShownServer = z.input<typeof ServerAnswer>;

const ServersAnswer = z.object({ servers: z.array(ServerAnswer).readonly().describe('The servers, by id.') });

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('servers'), {
    group: 'operate',
    summary: 'List the Discord servers of the bot',
    description: [
      `The servers that have the bot, with the settings of /setup, and those that removed it less than ${LEFT_DAYS} days ago. Channels and roles are ids of Discord.`,
    ],
    examples: [
      ['List the servers', 'fanfare servers'],
      ['Read the servers in a script', 'fanfare servers --json'],
    ],
    exits: ['The servers are listed', 'The state cannot be read'],
  });
  answering(command, {
    schema: ServersAnswer,
    out,
    needsRun: true,
    async run(shown) {
      const { storedServers } = await import('#src/app/open-lists.ts');
      const servers = (await storedServers(process.env)).map(toServerAnswer);
      if (servers.length === 0) shown.print('The bot is in no server yet. To invite it: fanfare auth discord');
      for (const server of servers) shown.print(lineOf(server));
      return { data: { servers } };
    },
  });
}

/** The server, whether it is set up, and when it joined or left. */
function lineOf({ id, name, channel, ping, problemsChannel, liveRole, joinedAt, leftAt }: ShownServer): string {
  const settings = [
    channel === undefined ? 'no channel' : `channel ${channel}`,
    ...(ping === undefined ? [] : [`ping ${ping}`]),
    ...(problemsChannel === undefined ? [] : [`problems ${problemsChannel}`]),
    ...(liveRole === undefined ? [] : [`live role ${liveRole}`]),
  ];
  const since = leftAt === undefined ? `joined ${joinedAt}` : `left ${leftAt}`;
  return `${id}  ${oneLine(name)}  ${settings.join(', ')}  ${since}`;
}
