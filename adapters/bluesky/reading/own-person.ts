import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { remembered } from '#src/http/remembered.ts';
import type { Person } from '#src/operation/record.ts';
import { maybeText } from '../wire/parts.ts';
import { toPerson } from '../wire/profile.ts';
import type { Repo } from '../xrpc/repo.ts';
import type { Xrpc } from '../xrpc/xrpc.ts';

const Named = z.object({ displayName: maybeText });

/** The account itself, as its posts name it; known without anybody but its own server. */
export function ownPerson({ xrpc, repo, clock }: { readonly xrpc: Xrpc; readonly repo: Repo; readonly clock: Clock }) {
  const nameOf = remembered(clock, async (did, signal) => {
    const found = await repo.find({ did, collection: 'app.bsky.actor.profile', rkey: 'self' }, { signal });
    return Named.safeParse(found?.value).data?.displayName;
  });

  return async (signal: AbortSignal | undefined): Promise<Person> => {
    const { did, handle } = await xrpc.session(signal);
    const displayName = await nameOf(did, signal).catch(() => undefined);
    // Without the name a post can be told of all the same.
    signal?.throwIfAborted();
    return toPerson({ did, handle, displayName });
  };
}
