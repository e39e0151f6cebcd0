import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { atUri } from '../at-uri.ts';
import { failure, isFault, type Primitives } from '../platform.ts';
import { POST } from '../reading/post-views.ts';
import { target } from '../reading/target.ts';
import type { RecordValue } from '../xrpc/repo.ts';

const PROFILE = { collection: 'app.bsky.actor.profile', rkey: 'self' } as const;
const MOST_ATTEMPTS = 3;

/** The one post at the top of the account's profile. */
export function pins(account: Account): Pick<Primitives, 'pinPost' | 'unpinPost'> {
  const { repo, names } = account;

  /** Changes the profile as it stands; whoever else changes it meanwhile loses nothing. */
  async function change(to: (profile: RecordValue) => RecordValue, options: CallOptions): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const stored = await repo.find({ did: await repo.did(options.signal), ...PROFILE }, options);
      const profile = stored?.value ?? { $type: PROFILE.collection };
      const changed = to(profile);
      if (changed === profile) return;
      try {
        await repo.put(PROFILE, changed, { swap: stored?.cid ?? null, signal: options.signal });
        return;
      } catch (error) {
        if (!isFault(error, 'duplicate') || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  return {
    async pinPost({ post }, { signal }) {
      const place = await names.placeOf(post, [POST], signal);
      if (place.did !== (await repo.did(signal)))
        throw failure('forbidden', `${atUri(place)} is somebody else's: only one's own posts can be pinned.`);
      const { uri, cid } = await target(account, place, { signal });
      await change((profile) => (pinnedIn(profile) === uri ? profile : { ...profile, pinnedPost: { uri, cid } }), { signal });
      return true;
    },

    async unpinPost({ post }, { signal }) {
      const uri = atUri(await names.placeOf(post, [POST], signal));
      const without = ({ pinnedPost: _pinned, ...profile }: RecordValue): RecordValue => profile;
      await change((profile) => (pinnedIn(profile) === uri ? without(profile) : profile), { signal });
      return true;
    },
  };
}

function pinnedIn({ pinnedPost }: RecordValue): unknown {
  return typeof pinnedPost === 'object' && pinnedPost !== null && 'uri' in pinnedPost ? pinnedPost.uri : undefined;
}
