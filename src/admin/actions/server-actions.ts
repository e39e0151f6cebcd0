import type { JsonObject } from '#src/clients/operation/json.ts';
import { SERVER_ABILITIES, type ServerSettings, type ServerStore } from '#src/admin/servers/server-store.ts';
import { Refused } from '#src/errors.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, type Act } from './audited.ts';

/** The actions on Discord servers. They throw a {@link Refused} with the reason. */
export interface ServerActions {
  readonly configureServer: Act<'configureServer', ServerSettings>;
}

export interface ServerActionParts {
  readonly storedServers: Pick<ServerStore, 'change'>;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
}

/** The actions on the servers of the bot. */
export function createServerActions({ storedServers, auditLog }: ServerActionParts): ServerActions {
  return {
    configureServer: audited('configureServer', auditLog, async ({ server, expected, ...change }, by) => {
      if (by.scope && by.scope.server !== server) throw new Refused('otherServer', 'You can only change the settings of your own server.');
      const changed = await storedServers.change(server, change, expected);
      if (!changed) throw new Refused('serverNotFound', `The bot was never in a server ${server}.`);
      if (changed === 'unexpected')
        throw new Refused('settingsChanged', 'Another person changed these settings since you read them. Read them again.');
      const { before, after } = changed;
      const { roles } = change;
      const values = (of: ServerSettings): JsonObject => ({
        ...Object.fromEntries(Object.keys(change).map((key) => [key, toJson(Reflect.get(of, key))])),
        // With the empty list of an ability, the values before the change undo it.
        ...(roles && {
          roles: Object.fromEntries(SERVER_ABILITIES.flatMap((each) => (roles[each] ? [[each, of.roles[each] ?? []]] : []))),
        }),
      });
      const [old, now] = [values(before), values(after)];
      if (JSON.stringify(old) === JSON.stringify(now)) return { result: after, outcome: 'unchanged' };
      return { result: after, outcome: 'done', before: old, after: now };
    }),
  };
}

/** A value for the log of actions; null: it was not set. */
function toJson(value: unknown): JsonObject[string] {
  return (value ?? null) as JsonObject[string]; // settings are texts, lists and maps of texts
}
