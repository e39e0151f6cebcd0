import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { KnownLists } from './list-source.ts';
import { hash } from '#src/rules/firing.ts';
import { withTexts } from '#src/rules/people/followed-fields.ts';
import { FOLLOWED, type ListEntry, type Lists } from '#src/rules/lists.ts';
import type { ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';

/** How old the settings of servers may be when rules read their lists. */
const FRESH_MS = 2_000;

interface ServedListsOptions {
  readonly lists: KnownLists;
  readonly servers: Pick<ServerStore, 'list'>;
  /** Whether the bot serves a server. No one could remove the entries of others in Discord. */
  readonly isServed: (server: string) => boolean;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The lists as rules read them: without those of servers that removed the bot or are not served, and with the settings of the servers. */
export function servedLists({ lists, servers, isServed, clock }: ServedListsOptions): KnownLists {
  let read: { readonly atMs: number; readonly of: Lists; readonly servers: Promise<readonly ServerSettings[]> } | undefined;
  let last: { readonly of: Lists; readonly known: readonly ServerSettings[]; readonly lists: Lists } | undefined;

  /** The settings, which are as new as the lists: a server is set up before it follows. */
  function settings(of: Lists): Promise<readonly ServerSettings[]> {
    const nowMs = clock.nowMs();
    if (read?.of !== of || Math.abs(nowMs - read.atMs) >= FRESH_MS) read = { atMs: nowMs, of, servers: servers.list() };
    return read.servers;
  }

  return {
    shapes: () => lists.shapes(),
    names: () => lists.names(),

    async current() {
      const of = await lists.current();
      const known = await settings(of).catch((error: unknown) => {
        read = undefined;
        throw error;
      });
      if (last?.of === of && last.known === known) return last.lists;
      const revision = revisionOf(of, known);
      // Equal lists are the same object, so that rules recognize them at once.
      const isSame = last?.of === of && last.lists.revision === revision;
      last = { of, known, lists: last && isSame ? last.lists : serve(of, known, { isServed, revision }) };
      return last.lists;
    },
  };
}

function revisionOf({ revision }: Lists, servers: readonly ServerSettings[]): string {
  const settings = servers.map(({ id, channel, ping, liveRole, language, locale, announcements, leftAt }) => [
    id,
    channel,
    ping,
    liveRole,
    language ?? locale,
    announcements,
    leftAt !== undefined,
  ]);
  return hash(revision, JSON.stringify(settings));
}

function serve(
  lists: Lists,
  servers: readonly ServerSettings[],
  { isServed, revision }: Pick<ServedListsOptions, 'isServed'> & Pick<Lists, 'revision'>,
): Lists {
  const byId = new Map(servers.map((server) => [server.id, server]));
  const made = new Map<string, readonly ListEntry[]>();

  function entriesOf(list: string): readonly ListEntry[] {
    return lists.entries(list).flatMap((entry) => {
      const server = entry.server === undefined ? undefined : byId.get(entry.server);
      if (server?.leftAt || (entry.server !== undefined && !isServed(entry.server))) return [];
      if (list !== FOLLOWED) return [entry];
      // An entry has the channel and the role of its server, unless it names others.
      const fields = servedFields(entry.fields, server ?? {});
      // Nothing is announced before an administrator chooses a channel.
      if (entry.server !== undefined && fields['channel'] === undefined) return [];
      // Servers follow many streamers, so an entry that needs no change is not copied.
      return [isDeepStrictEqual(fields, entry.fields) ? entry : { ...entry, fields }];
    });
  }

  return {
    revision,
    names: () => lists.names(),
    problemOf: (list) => lists.problemOf?.(list),
    entries(list) {
      const known = made.get(list) ?? entriesOf(list);
      made.set(list, known);
      return known;
    },
  };
}

/** The fields of an entry of `followed` as its rule reads them: with the channel, the roles and the language of the server. */
export function servedFields(
  fields: JsonObject,
  { channel, ping, liveRole, announcements, locale, language = locale }: Partial<ServerSettings>,
): JsonObject {
  return {
    ...(channel !== undefined && { channel }),
    ...(ping !== undefined && { ping }),
    ...(liveRole !== undefined && { liveRole }),
    ...(language !== undefined && { language: new Intl.Locale(language).language }),
    ...withTexts(fields),
    ...(announcements === 'off' && { paused: true }),
    ...colorOf(fields),
  };
}

/** The color of a card, which people write as `#9146ff`, as a number. */
function colorOf({ color }: JsonObject): JsonObject {
  return typeof color === 'string' && /^#[0-9a-f]{6}$/iu.test(color) ? { color: Number.parseInt(color.slice(1), 16) } : {};
}
