import { z } from 'zod';
import { arrayOf, instant } from '#src/http/lenient.ts';
import type { ChatPlatform } from '#src/clients/chat/chat.ts';
import type { ScheduledEvent } from '#src/clients/chat/records.ts';
import { findLost } from '#src/clients/operation/find-lost.ts';
import type { RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import { codeOf, CODES, missing } from '../errors.ts';
import { createdAtMs } from '../history.ts';
import { NoAnswer, type Server } from '../server.ts';
import { titleOf } from './forum-posts.ts';

type Operations = Required<Pick<ChatPlatform['operations'], 'createEvent' | 'editEvent' | 'deleteEvent'>>;
type Wanted = Omit<Parameters<Operations['createEvent']>[0], 'server'>;
type Change = { readonly [K in keyof Wanted]?: Wanted[K] | undefined };

const WireEvent = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  creator_id: z.string().nullish(),
  scheduled_start_time: instant,
  entity_metadata: z.object({ location: z.string().nullish() }).nullish(),
});
type WireEvent = z.output<typeof WireEvent>;

/** Only members of the server see it; no other level exists. */
const PRIVACY_GUILD_ONLY = 2;
const EXTERNAL = 3;

/** Scheduled events outside of Discord. */
export function events({ api, guildId, history }: Server): {
  readonly operations: Operations;
  readonly recover: { readonly createEvent: (wanted: Wanted, options: RecoverOptions) => Promise<Recovery<ScheduledEvent>> };
} {
  const all: `/${string}` = `/guilds/${guildId}/scheduled-events`;

  function assertHere(server = guildId): void {
    if (server !== guildId)
      throw missing('The account belongs to another Discord server. In fanfare.yaml, the section discord can serve all servers.');
  }

  function toEvent(id: string, name?: string): ScheduledEvent {
    return { platform: 'discord', id, url: `https://discord.com/events/${guildId}/${id}`, name };
  }

  return {
    operations: {
      async createEvent({ server, ...wanted }, { signal }) {
        assertHere(server);
        const body = { ...toForm(wanted), privacy_level: PRIVACY_GUILD_ONLY, entity_type: EXTERNAL };
        const { id, name } = await api({ method: 'POST', path: all, body, answer: WireEvent, signal });
        return toEvent(id, name);
      },

      async editEvent({ event, server, ...change }, { signal }) {
        assertHere(server);
        const answer = await api({ method: 'PATCH', path: `${all}/${idOf(event)}`, body: toForm(change), answer: WireEvent, signal });
        return toEvent(answer.id, answer.name);
      },

      async deleteEvent({ event, server }, { signal }) {
        assertHere(server);
        try {
          await api({ method: 'DELETE', path: `${all}/${idOf(event)}`, answer: NoAnswer, signal });
        } catch (error) {
          if (codeOf(error) !== CODES.unknownEvent) throw error;
        }
        return toEvent(event);
      },
    },

    recover: {
      async createEvent(wanted, { since, taken, signal }) {
        const [botId, there] = [await history.botId(signal), await api({ method: 'GET', path: all, answer: arrayOf(WireEvent), signal })];
        const alike = there.filter((one) => one.creator_id === botId && !taken.has(one.id) && isSame(one, wanted));
        const oldestFirst = alike.toSorted((a, b) => createdAtMs(a.id) - createdAtMs(b.id));
        const recovery = findLost(oldestFirst, { since, madeAt: ({ id }) => new Date(createdAtMs(id)) });
        return typeof recovery === 'object' ? { found: toEvent(recovery.found.id, recovery.found.name) } : recovery;
      },
    },
  };
}

function toForm({ name, startsAt, endsAt, location, description }: Change): object {
  return {
    ...(name !== undefined && { name: titleOf({ title: name }) }),
    ...(startsAt !== undefined && { scheduled_start_time: startsAt }),
    ...(endsAt !== undefined && { scheduled_end_time: endsAt }),
    ...(location !== undefined && { entity_metadata: { location: titleOf({ title: location }) } }),
    ...(description !== undefined && { description }),
  };
}

function isSame({ name, description, scheduled_start_time, entity_metadata }: WireEvent, wanted: Wanted): boolean {
  return (
    name === titleOf({ title: wanted.name }) &&
    scheduled_start_time.getTime() === Date.parse(wanted.startsAt) &&
    entity_metadata?.location === titleOf({ title: wanted.location }) &&
    (description ?? '').trim() === (wanted.description ?? '').trim()
  );
}

function idOf(event: string): string {
  if (/^\d{15,20}$/u.test(event)) return event;
  throw missing(`"${event}" is not an event: write the id from createEvent.`);
}
