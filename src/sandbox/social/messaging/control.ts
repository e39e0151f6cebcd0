import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { People } from '../people.ts';
import type { StoredMessage, Talks } from './talks.ts';

const Group = z.strictObject({ title: z.string().min(1), members: z.array(z.string()).min(2) });

export interface GroupControlOptions {
  readonly talks: Talks;
  readonly people: People;
  readonly clock: Clock;
}

/** The messages that were sent, letter for letter and whatever reads show, under the ids that a platform gives them. */
export function messagesTruth(
  { talks, people }: Pick<GroupControlOptions, 'talks' | 'people'>,
  idOf: (message: StoredMessage) => string,
): readonly JsonObject[] {
  return talks.all().map((message) => ({
    id: idOf(message),
    author: people.find(message.senderId)?.handle,
    text: message.text,
    media: message.media.map(({ kind, altText }) => ({ kind, altText })),
    sentAt: new Date(message.createdAtMs).toISOString(),
    visibleAt: new Date(message.visibleAtMs).toISOString(),
  }));
}

/** Puts people together in a group for messages: the API has no operation for it. */
export function groupControl({ talks, people, clock }: GroupControlOptions): Hono {
  const control = new Hono();
  control.post('/', async (c) => {
    const group = Group.safeParse(await c.req.json().catch(() => undefined));
    if (!group.success) return c.json({ error: z.prettifyError(group.error) }, 400);
    const { title, members } = group.data;
    const unknown = members.find((name) => !people.find(name));
    if (unknown !== undefined) return c.json({ error: `there is nobody called ${unknown}` }, 400);
    const memberIds = [...new Set(members.flatMap((name) => people.find(name)?.id ?? []))];
    return c.json({ id: talks.addGroup({ title, memberIds, createdAtMs: clock.nowMs() }).id });
  });
  return control;
}
