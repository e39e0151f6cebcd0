import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { isFault } from '#src/http/errors.ts';
import { batchesOf } from '#src/http/batches.ts';
import { type AccountContext, unknownUser } from '../account-context.ts';
import { isDid } from '../addresses.ts';
import { listOf } from '../wire/parts.ts';
import { Profile, toUser } from '../wire/profile.ts';

const MOST_PROFILES = 25;
const Profiles = z.object({ profiles: listOf(Profile, { isRequired: true }) });

/** The full profile of a user. */
export async function readProfile({ xrpc, names }: AccountContext, name: string, { signal }: CallOptions): Promise<Profile> {
  const actor = names.actor(name);
  return xrpc.query('app.bsky.actor.getProfile', Profile, { actor }, { signal }).catch((error: unknown) => {
    throw isFault(error, 'missing') ? unknownUser(name, error) : error;
  });
}

/** The same. Without an AppView, only the identity. */
export async function findProfile(account: AccountContext, name: string, options: CallOptions): Promise<Profile> {
  return readProfile(account, name, options).catch(async (error: unknown) => {
    if (!isFault(error, 'unavailable')) throw error;
    const repo = await account.names.didOf(name, options.signal);
    return account.xrpc.query('com.atproto.repo.describeRepo', Profile, { repo }, { signal: options.signal });
  });
}

/** The full profiles of the actors in the order of `actors`; undefined for unknown actors. */
export async function readProfiles(
  { xrpc, now }: AccountContext,
  actors: readonly string[],
  { signal }: CallOptions,
): Promise<readonly (User | undefined)[]> {
  const batches = batchesOf([...new Set(actors)], MOST_PROFILES);
  const answers = await Promise.all(
    batches.map((batch) => xrpc.query('app.bsky.actor.getProfiles', Profiles, { actors: batch }, { signal })),
  );
  const fetchedAt = now();
  const users = answers.flatMap(({ profiles }) => profiles).map((profile) => toUser(profile, fetchedAt));
  const known = new Map(users.flatMap((user) => [[user.id, user] as const, [user.handle.toLowerCase(), user] as const]));
  return actors.map((actor) => known.get(isDid(actor) ? actor : actor.toLowerCase()));
}
