import { z } from 'zod';
import type { Person } from '#src/operation/record.ts';

/** Somebody as Discord has them. */
export const WireUser = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() });
export type WireUser = z.output<typeof WireUser>;

/** Somebody as the rest of Fanfare knows them. */
export function toPerson({ id, username, global_name }: WireUser): Person {
  return { platform: 'discord', id, url: `https://discord.com/users/${id}`, handle: username, displayName: global_name ?? username };
}
