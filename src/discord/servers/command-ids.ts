import { type APIApplicationCommand, type REST, Routes } from 'discord.js';
import type { Clock } from '#src/clock.ts';

const FRESH_MS = 10 * 60_000;

interface CommandIdsOptions {
  readonly rest: REST;
  readonly application: string;
  /** The server whose commands are meant, if it has its own; otherwise the global ones. */
  readonly server: string;
}

/** The ids of the registered commands, with which messages mention them. */
export type FindCommandId = (name: string, options: CommandIdsOptions) => Promise<string | undefined>;

/** Finds ids of commands. They are cached for some minutes. Undefined after an error: texts then only name the command. */
export function commandIds(clock: Pick<Clock, 'nowMs'>): FindCommandId {
  const cached = new Map<string, { readonly untilMs: number; readonly ids: Promise<ReadonlyMap<string, string>> }>();

  async function read({ rest, application, server }: CommandIdsOptions): Promise<ReadonlyMap<string, string>> {
    const routes = [Routes.applicationGuildCommands(application, server), Routes.applicationCommands(application)];
    const lists = await Promise.all(routes.map(async (route) => (await rest.get(route)) as readonly APIApplicationCommand[])); // as Discord documents it
    return new Map(lists.toReversed().flatMap((list) => list.map(({ name, id }) => [name, id] as const)));
  }

  return async (name, options) => {
    const known = cached.get(options.server);
    const fresh = known && known.untilMs > clock.nowMs() ? known : { untilMs: clock.nowMs() + FRESH_MS, ids: read(options) };
    cached.set(options.server, fresh);
    try {
      return (await fresh.ids).get(name);
    } catch {
      cached.delete(options.server);
      return undefined;
    }
  };
}
