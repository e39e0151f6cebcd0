import { type Client, DiscordAPIError, Routes } from 'discord.js';
import type { DiscordServer, DiscordSettings } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { defaultPermissions } from './caller.ts';
import type { Command } from './command.ts';
import { joinedServers } from './servers/joined-servers.ts';

/** The commands of rules in a server. */
export type CommandsIn = (server: DiscordServer) => readonly Command[];

interface RegisterOptions {
  /** The commands of rules in a server; absent: there are none. */
  readonly commandsIn?: CommandsIn | undefined;
  readonly servers: readonly DiscordServer[];
  readonly settings: Pick<DiscordSettings, 'roles'>;
  readonly log: Log;
  /** Called with the servers that refuse the commands, if others accept them. */
  readonly onAccessDenied?: ((servers: readonly DiscordServer[]) => void) | undefined;
}

export type Registrar = Pick<Client<true>, 'rest'> & { readonly application: { readonly id: string } };

/**
 * Replaces the commands in each server, or the global commands if no server is given. Returns whether anything changed.
 * Servers without access are skipped. If no server accepts the commands, the error of the first server is thrown.
 */
export async function register(
  { rest, application: { id } }: Registrar,
  commands: readonly Command[],
  { servers, commandsIn = () => [], settings, log, onAccessDenied }: RegisterOptions,
): Promise<boolean> {
  async function offer(route: `/${string}`, all: readonly Command[]): Promise<boolean> {
    const wanted = formsOf(all, settings);
    // Discord omits localized names by default.
    const query = new URLSearchParams({ with_localizations: 'true' });
    // A server of another implementation may not have the list. The answer to the PUT then decides.
    const offered = await rest.get(route, { query }).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error)));
    if (Array.isArray(offered) && matches(offered.toSorted(byName), wanted)) return false;
    await rest.put(route, { body: wanted });
    return true;
  }

  if (servers.length === 0) return offer(Routes.applicationCommands(id), commands);
  const results = await Promise.allSettled(
    servers.map((server) => offer(Routes.applicationGuildCommands(id, server.id), [...commands, ...commandsIn(server)])),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const unexpected = failures.find((reason) => !isAccessDenied(reason));
  if (unexpected !== undefined || failures.length === servers.length) throw unexpected ?? failures[0];
  const closed: DiscordServer[] = [];
  for (const [index, result] of results.entries()) {
    const server = servers[index];
    if (!server || result.status === 'fulfilled') continue;
    closed.push(server);
    log.error(
      { account: server.account, server: server.id, ...(isAccessDenied(result.reason) && refusedRequest(result.reason)) },
      'the bot is not in a server, or cannot register commands there: invite it with the scope applications.commands',
    );
  }
  onAccessDenied?.(closed);
  return results.some((result) => result.status === 'fulfilled' && result.value);
}

/** The forms of commands as Discord compares them. */
function formsOf(commands: readonly Command[], settings: RegisterOptions['settings']): unknown {
  const forms = commands.map(({ data, needs }) => ({
    ...data,
    default_member_permissions: defaultPermissions(needs, settings)?.toString() ?? null,
  }));
  // The builders leave `undefined` values behind.
  return JSON.parse(JSON.stringify(forms.toSorted(byName)));
}

function isMissing(reason: unknown): boolean {
  return reason instanceof DiscordAPIError && reason.status === 404;
}

/** The refused request for the log, with its status and path. */
export function refusedRequest({ message, status, method, url }: DiscordAPIError): {
  readonly reason: string;
  readonly status: number;
  readonly path: string;
} {
  return { reason: message, status, path: `${method} ${new URL(url).pathname}` };
}

/** Whether the bot is not in a server or may not register commands there. A single refusal may be temporary. */
export function isAccessDenied(reason: unknown): reason is DiscordAPIError {
  return reason instanceof DiscordAPIError && [403, 404].includes(reason.status);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** Whether the registered commands equal the wanted ones. Discord adds fields, and omits false values. */
function matches(offered: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(offered) && offered.length === wanted.length && wanted.every((entry, index) => matches(offered[index], entry));
  }
  if (typeof wanted !== 'object' || wanted === null)
    return offered === wanted || (offered === undefined && (wanted === false || wanted === null));
  if (typeof offered !== 'object' || offered === null) return false;
  const fields = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(wanted).every(([key, value]) => matches(fields.get(key), value));
}

interface RemoveCommandsOptions {
  /** The servers of the bot; none: all servers. */
  readonly servers: readonly Pick<DiscordServer, 'id'>[];
  /** The servers that had their own commands before the bot served all servers. They would show each command twice. */
  readonly earlier?: readonly Pick<DiscordServer, 'id'>[] | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Removes the commands in servers of the bot that are not configured. Never rejects. */
export async function removeCommands(
  { rest, application: { id } }: Registrar,
  { servers, earlier = [], log, signal }: RemoveCommandsOptions,
): Promise<void> {
  const configured = new Set(servers.map((server) => server.id));

  async function clear(server: string): Promise<void> {
    const route = Routes.applicationGuildCommands(id, server);
    try {
      const offered = await rest.get(route, { signal });
      if (Array.isArray(offered) && offered.length === 0) return;
      await rest.put(route, { body: [], signal });
      log.info({ server }, 'the commands were removed from a server without an account');
    } catch (error) {
      if (!isAccessDenied(error)) warn(error, server);
    }
  }

  function warn(error: unknown, server?: string): void {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : error;
    log.warn({ server, reason }, 'commands in a server without an account could not be removed');
  }

  try {
    for (const server of earlier) await clear(server.id);
    if (configured.size === 0) return;
    for await (const joined of joinedServers(rest, signal)) {
      // One at a time, because the commands of users share the rate limit.
      for (const server of joined) if (!configured.has(server)) await clear(server);
      if (signal.aborted) return;
    }
  } catch (error) {
    warn(error);
  }
}
