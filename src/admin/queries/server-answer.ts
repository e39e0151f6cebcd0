import { z } from 'zod';
import { SERVER_ABILITIES, type ServerSettings } from '#src/admin/servers/server-store.ts';

/** A Discord server of the bot. */
export const ServerAnswer = z
  .object({
    id: z.string().describe('The id of the server.'),
    name: z.string().describe('Its name.'),
    language: z.string().optional().describe('The language of public messages; absent: the language of the server.'),
    zone: z.string().optional().describe('The IANA zone of times; absent: the zone in `fanfare.yaml`.'),
    channel: z.string().optional().describe('The id of the channel of announcements.'),
    ping: z.string().optional().describe('The id of the role that announcements ping, or `everyone`; absent: no one.'),
    problemsChannel: z.string().optional().describe('The id of the channel of alerts.'),
    liveRole: z.string().optional().describe('The id of the role of members who are live.'),
    announcements: z
      .literal('off')
      .optional()
      .describe('`off`: the streamers that the server follows are not announced; absent: they are.'),
    pings: z.array(z.string()).optional().describe('The ids of the roles that members can choose for themselves.'),
    roles: z.partialRecord(z.enum(SERVER_ABILITIES), z.array(z.string())).describe('The ids of the roles with each ability.'),
    joinedAt: z.iso.datetime().describe('When the bot joined.'),
    leftAt: z.iso.datetime().optional().describe('When the server removed the bot. 30 days later, its settings and lists are deleted.'),
  })
  .meta({
    examples: [
      {
        id: '1202584131993600001',
        name: 'Chess Club',
        channel: '1202584131993600011',
        roles: { follow: ['1202584131993600003'] },
        joinedAt: '2026-11-22T18:00:00.000Z',
      },
    ],
  });

/** A server as JSON. */
export function toServerAnswer({
  joinedAt,
  leftAt,
  roles,
  pings,
  locale: _locale,
  ...settings
}: ServerSettings): z.input<typeof ServerAnswer> {
  return {
    ...settings,
    ...(pings && { pings: [...pings] }),
    roles: Object.fromEntries(Object.entries(roles).map(([ability, ids]) => [ability, [...ids]])),
    joinedAt: joinedAt.toISOString(),
    ...(leftAt && { leftAt: leftAt.toISOString() }),
  };
}
