import type * as topic from '#src/social/follows.ts';
import type { PrimitivesOf } from '#src/social/social.ts';
import { requirePerson, type Meeting } from '../meeting.ts';
import { Refusal } from '../refusal.ts';
import { toUser } from '../user-record.ts';
import type { WorldPerson } from '../../world/world.ts';

type Follows = PrimitivesOf<typeof topic>;

/** Whom the signed-in account follows, keeps away, and wants to hear of. */
export function followsOperations(meeting: Meeting): Follows {
  const { moment, viewer } = meeting;
  const { relations, now } = moment;
  const nowMs = now.getTime();

  function requireOther(name: string): WorldPerson {
    const person = requirePerson(meeting, name);
    if (person.id === viewer.id) throw new Refusal(422, 'self', 'This cannot be done to oneself.');
    return person;
  }

  function requireReachable(name: string): WorldPerson {
    const person = requireOther(name);
    if (relations.parted(viewer.id, person.id)) throw new Refusal(403, 'blocked', 'A block stands between the two.');
    return person;
  }

  return {
    async followUser({ user }) {
      const person = requireReachable(user);
      relations.setFollow(viewer.id, person.id, true, nowMs);
      return toUser(person, moment);
    },

    async unfollowUser({ user }) {
      const person = requireOther(user);
      relations.setFollow(viewer.id, person.id, false, nowMs);
      return toUser(person, moment);
    },

    async blockUser({ user }) {
      const person = requireOther(user);
      relations.setBlock(viewer.id, person.id, true, nowMs);
      return toUser(person, moment);
    },

    async unblockUser({ user }) {
      const person = requireOther(user);
      relations.setBlock(viewer.id, person.id, false, nowMs);
      return toUser(person, moment);
    },

    async enableUserNotification({ user }) {
      relations.setNotify(viewer.id, requireReachable(user).id, true, nowMs);
      return true;
    },

    async disableUserNotification({ user }) {
      relations.setNotify(viewer.id, requireOther(user).id, false, nowMs);
      return true;
    },
  };
}
