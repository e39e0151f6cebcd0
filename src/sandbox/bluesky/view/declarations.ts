import type { WorldPerson } from '../../world/world.ts';
import { textAt } from '../repo/references.ts';
import type { Look } from './look.ts';

/** Who may begin a conversation with somebody. */
export function incomingOf(look: Look, person: WorldPerson): string {
  return declared(look, person, { collection: 'chat.bsky.actor.declaration', key: 'allowIncoming' }) ?? 'following';
}

/** Who may hear of what somebody writes. */
export function subscribersOf(look: Look, person: WorldPerson): string {
  return declared(look, person, { collection: 'app.bsky.notification.declaration', key: 'allowSubscriptions' }) ?? 'followers';
}

/** Whether somebody lets the viewer hear of what they write. */
export function hears(look: Look, person: WorldPerson): boolean {
  const { relations } = look.moment;
  const isFollower = relations.follows(look.viewer.id, person.id);
  switch (subscribersOf(look, person)) {
    case 'followers':
      return isFollower;
    case 'mutuals':
      return isFollower && relations.follows(person.id, look.viewer.id);
    default:
      return false;
  }
}

interface Declared {
  readonly collection: string;
  readonly key: string;
}

function declared({ bluesky }: Look, person: WorldPerson, { collection, key }: Declared): string | undefined {
  const did = bluesky.directory.didOf(person);
  const row = bluesky.repositories.find(did, collection, 'self') ?? bluesky.unwritten.find(did, collection, 'self');
  return textAt(row?.record, key);
}
