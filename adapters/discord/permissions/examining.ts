import { PlatformError, type Fault } from '#src/errors.ts';
import { tagIds } from '../posts.ts';
import type { Server } from '../server.ts';
import type { Doctor } from './doctor.ts';
import type { Permission } from './permission.ts';

/** What does not pass by itself. */
const LASTING: readonly Fault[] = ['missing', 'rejected', 'forbidden'];

/** What a rule wants to do in a channel. */
export interface Wish {
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly needs: readonly Permission[];
  readonly tags?: readonly string[] | undefined;
  /** Whether it writes something new, which in a forum is a post. */
  readonly writes: boolean;
}

/** Looks whether a wish would be granted, by the channels, roles and tags as they are now. */
export function examining(
  { places, roles }: Pick<Server, 'places' | 'roles'>,
  { examine }: Pick<Doctor, 'examine'>,
): (wish: Wish, signal?: AbortSignal) => Promise<string | undefined> {
  return async ({ channel, thread, needs, tags, writes }, signal) => {
    try {
      // What was found before may be gone.
      places.forget();
      roles.forget();
      const place = await places.forMessage(channel, { thread, signal });
      if (place.forum && writes) tagIds(place, tags);
      // Whoever begins a post writes; a thread of its own takes more.
      const meant = needs.map((need) => (place.forum && need === 'Create Public Threads' ? 'Send Messages' : need));
      return await examine(place.id, meant, signal);
    } catch (error) {
      if (error instanceof PlatformError && LASTING.includes(error.fault)) return error.message;
      throw error;
    }
  };
}
