import { PlatformError, type Fault } from '#src/errors.ts';
import { tagIds } from '../operations/forum-posts.ts';
import { toMentions, type Server } from '../server.ts';
import type { Doctor } from './doctor.ts';
import type { Permission } from './permission.ts';

/** Faults that do not pass without a change. */
const LASTING: readonly Fault[] = ['missing', 'rejected', 'forbidden'];

/** The actions that a rule needs in a channel. */
export interface Wish {
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly needs: readonly Permission[];
  readonly tags?: readonly string[] | undefined;
  /** The roles and members that a message pings. */
  readonly mentions?: readonly string[] | undefined;
  /** Whether the rule creates messages. In a forum, a new message is a post. */
  readonly writes: boolean;
}

/** Checks the actions of a rule against the current channels, roles and tags. */
export function examining(
  { channels, roles }: Pick<Server, 'channels' | 'roles'>,
  { examine }: Pick<Doctor, 'examine'>,
): (wish: Wish, signal?: AbortSignal) => Promise<string | undefined> {
  return async ({ channel, thread, needs, tags, mentions, writes }, signal) => {
    try {
      // Cached channels and roles may be outdated.
      channels.forget();
      roles.forget();
      const target = await channels.forMessage(channel, { thread, signal });
      if (target.forum && writes) tagIds(target, tags);
      // Creating a forum post needs only Send Messages.
      const meant = needs.map((need) => (target.forum && need === 'Create Public Threads' ? 'Send Messages' : need));
      const lacking = await examine(target.id, meant, signal);
      if (lacking === undefined) await toMentions(mentions, roles, signal);
      return lacking;
    } catch (error) {
      if (error instanceof PlatformError && LASTING.includes(error.fault)) return error.message;
      throw error;
    }
  };
}
