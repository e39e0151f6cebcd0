import { z } from 'zod';
import { MOST_ROLES, SERVER_ABILITIES } from '#src/admin/servers/server-store.ts';
import { ZONE_ERROR, zoneNamed } from '#src/clients/operation/zone-named.ts';

const snowflake = z.string().regex(/^\d{15,20}$/u, { error: 'an id of Discord is a long number' });
const snowflakeOrNone = z.string().regex(/^(?:\d{15,20})?$/u, { error: 'an id of Discord is a long number; an empty text removes it' });

const pings = z.array(snowflake).max(MOST_ROLES);
const roles = z.partialRecord(z.enum(SERVER_ABILITIES), z.array(snowflake).max(MOST_ROLES));

/** The actions on Discord servers. */
export const SERVER_ACTIONS = {
  configureServer: {
    summary: 'Change the settings of a Discord server',
    needs: 'editor',
    input: z.object({
      server: snowflake.describe('The id of the server.'),
      language: z.enum(['', 'en', 'de']).optional().describe('The language of public messages. Empty: the language of the server.'),
      zone: z
        .string()
        .max(100)
        .overwrite((zone) => zoneNamed(zone) ?? zone)
        .refine((zone) => zone === '' || zoneNamed(zone) !== undefined, { error: ZONE_ERROR })
        .optional()
        .describe('The IANA zone of times. Empty: the zone in fanfare.yaml.'),
      channel: snowflakeOrNone.optional().describe('The id of the channel of announcements. Empty: none.'),
      ping: z
        .string()
        .regex(/^(?:\d{15,20}|everyone)?$/u, { error: 'write the id of a role, or everyone' })
        .optional()
        .describe('The id of the role to ping, or everyone. Empty: no one.'),
      problemsChannel: snowflakeOrNone.optional().describe('The id of the channel of alerts. Empty: none.'),
      liveRole: snowflakeOrNone.optional().describe('The id of the role of members who are live. Empty: none.'),
      announcements: z
        .enum(['', 'off'])
        .optional()
        .describe('`off`: the streamers that the server follows are not announced. Empty: they are announced.'),
      pings: pings.optional().describe('The ids of the roles that members can choose for themselves.'),
      roles: roles
        .optional()
        .describe(
          'The ids of the roles with an ability: setup, follow, post, operate or answer. They replace the ones before; an empty list removes them. Other abilities keep their roles.',
        ),
      expected: z
        .object({ pings: pings.optional(), roles: roles.optional() })
        .optional()
        .describe('The lists of roles that the server must still have. If another person has changed one of them, nothing is changed.'),
    }),
    target: 'server',
    undo: 'configureServer',
  },
} as const;
