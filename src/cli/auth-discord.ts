import { PlatformError, UserError } from '#src/errors.ts';
import type { BotNeeds, BotServer, DiscordApplication, DiscordSetup } from '#src/admin/accounts/discord-setup.ts';
import { oneLine, printSteps } from './format.ts';
import { untilAnswered } from './until-answered.ts';
import { FEW_OFF_RULES, offRuleLines, type OffRule } from '#src/rules/messages/off-rules.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';

export interface AuthDiscordOptions {
  readonly setup: DiscordSetup;
  /** Adds variables to the environment permanently. */
  readonly write: (variables: Readonly<Record<string, string>>) => Promise<void>;
  /** The rules that stay off with the accounts of the environment and of the added variables. */
  readonly offRules: (added: Readonly<Record<string, string>>) => Promise<readonly OffRule[]>;
  readonly prompter: Prompter;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** Stands for a token that is not entered yet. */
const NO_TOKEN = 'none';

const STEPS = [
  'Open https://discord.com/developers/applications and choose New Application.',
  'Under Bot, choose Reset Token, and copy the token. Discord shows the token once.',
  'If you use the assistant, or rules that read messages of members: under Bot, turn on Message Content Intent. For rules that read members, turn on Server Members Intent, and Presence Intent for their status.',
];

/** Guides a person through the setup of a Discord bot: its token, its intents, its server and its permissions. */
export async function authDiscord(options: AuthDiscordOptions): Promise<number> {
  const { setup, write, offRules, out, signal } = options;
  const { token, application } = setup.token === undefined ? await askToken(options) : await configuredToken(setup.token, options);
  const needs = await setup.needs(token);
  printApplication(application, needs, out);
  const permissions = needs.permissions.map(({ permission }) => permission);
  out.print(
    out.paint('bold', `\n${needs.serverIds.length === 0 ? 'The rules' : 'The configured servers and rules'} need these permissions:`),
  );
  const widest = Math.max(...permissions.map((permission) => permission.length));
  for (const { permission, for: reasons } of needs.permissions)
    out.print(`  ${permission.padEnd(widest)}  ${out.paint('dim', reasons.join(', '))}`);

  const servers = await joinedServers({ ...options, token, application, needs });
  const variables = {
    ...(setup.token === undefined && { DISCORD_TOKEN: token }),
    ...(needs.serverIds.length === 0 && servers[0] && { DISCORD_GUILD_ID: servers[0].id }),
  };
  const names = Object.keys(variables);
  if (names.length > 0) {
    await write(variables);
    out.print(out.paint('dim', `Written to .env: ${names.join(', ')}`));
  }
  for (const server of servers) {
    const missing = await setup.missing(token, server, { needed: permissions, signal });
    if (missing.length === 0) {
      out.print(`${out.paint('green', '✓')} ${oneLine(server.name)}: the bot has all permissions`);
      continue;
    }
    out.print(`${out.paint('yellow', '!')} ${oneLine(server.name)}: the bot lacks ${missing.join(', ')}`);
    out.print(
      `  To add the permissions, open this link:\n\n  ${out.paint('cyan', setup.invitation(application.id, permissions, server.id))}\n`,
    );
  }
  if (permissions.includes('Manage Roles'))
    out.print(out.paint('dim', 'In Server Settings > Roles, drag the role of the bot above the roles that it assigns.'));
  if (names.length > 0) out.print(out.paint('dim', 'If Fanfare is running, restart it to use the bot.'));
  for (const line of offRuleLines(await offRules(variables), FEW_OFF_RULES)) out.print(out.paint('yellow', line));
  return 0;
}

interface Checked {
  readonly token: string;
  readonly application: DiscordApplication;
}

/** Asks for the token until Discord accepts it. */
async function askToken({ setup, prompter, out, signal }: AuthDiscordOptions): Promise<Checked> {
  // Otherwise, a mistake in the files would discard the token that the person has entered.
  await setup.needs(NO_TOKEN);
  out.print(out.paint('bold', 'No Discord bot is configured yet. To create one:'));
  printSteps(STEPS, out);
  for (;;) {
    const token = await prompter.ask({
      text: 'Bot token',
      isSecret: true,
      read: (text) => (text === '' ? { error: 'a value is required' } : { value: text.replace(/^Bot /u, '') }),
    });
    try {
      return { token, application: await untilAnswered(() => setup.application(token, signal), { prompter, out }) };
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
      out.print(out.paint('yellow', '  Discord rejects this token. Copy the whole token, or reset it and copy the new one.'));
    }
  }
}

async function configuredToken(token: string, { setup, signal }: AuthDiscordOptions): Promise<Checked> {
  try {
    return { token, application: await setup.application(token, signal) };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
    throw new UserError('Discord rejects DISCORD_TOKEN\n  Remove it from .env or the environment, then run fanfare auth discord again.');
  }
}

function printApplication(
  { name, readsContent, intents, needsCodeGrant }: DiscordApplication,
  { hasAssistant, intents: needed }: BotNeeds,
  out: Terminal,
): void {
  out.print(`${out.paint('green', '✓')} the token belongs to the bot ${oneLine(name)}`);
  if (readsContent) out.print(`${out.paint('green', '✓')} Message Content Intent is on`);
  else if (hasAssistant)
    out.print(
      `${out.paint('yellow', '!')} Message Content Intent is off: the assistant reads only messages that mention the bot. Turn it on under Bot.`,
    );
  else out.print(out.paint('dim', '  Message Content Intent is off. Only the assistant and rules that read messages of members need it.'));
  for (const intent of needed) {
    if (intents.includes(intent)) out.print(`${out.paint('green', '✓')} ${intent} is on`);
    else out.print(`${out.paint('yellow', '!')} ${intent} is off, and a rule reads the members of a server. Turn it on under Bot.`);
  }
  if (needsCodeGrant)
    out.print(`${out.paint('yellow', '!')} Requires OAuth2 Code Grant is on, so the invite link does not work. Turn it off under Bot.`);
}

interface JoinOptions extends AuthDiscordOptions, Checked {
  readonly needs: BotNeeds;
}

/** The configured servers, or the chosen server. Waits until the bot is a member. */
async function joinedServers(options: JoinOptions): Promise<readonly BotServer[]> {
  const { setup, token, application, needs, prompter, out, signal } = options;
  const permissions = needs.permissions.map(({ permission }) => permission);
  const [configured] = needs.serverIds;
  const read = () => setup.servers(token, signal);
  for (;;) {
    const servers = await (setup.token === undefined ? untilAnswered(read, { prompter, out }) : read());
    const absent = needs.serverIds.find((id) => !servers.some((server) => server.id === id));
    if (configured !== undefined && absent === undefined) return servers.filter(({ id }) => needs.serverIds.includes(id));
    if (configured === undefined && servers.length > 0) return [await choose(servers, prompter)];
    out.print(
      absent === undefined
        ? '\nThe bot is not in a server yet. To add it, open this link and choose your server:'
        : `\nThe bot is not in the server ${absent}. To add it, open this link:`,
    );
    out.print(`\n  ${out.paint('cyan', setup.invitation(application.id, permissions, absent))}\n`);
    await prompter.ask({ text: 'Press Enter when the bot has joined', read: () => ({ value: undefined }) });
  }
}

/** Asks for the server if there are several. */
async function choose(servers: readonly BotServer[], prompter: Prompter): Promise<BotServer> {
  const [only] = servers;
  if (only && servers.length === 1) return only;
  const list = servers.map(({ name, id }, index) => `  ${index + 1}. ${oneLine(name)} (${id})`).join('\n');
  return prompter.ask({
    text: `The bot is in several servers:\n${list}\nWhich one should Fanfare use? Enter its number.`,
    read(text) {
      const server = servers[Number(text) - 1];
      return server ? { value: server } : { error: `enter a number from 1 to ${servers.length}` };
    },
  });
}
