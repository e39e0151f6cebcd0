import type { WorldPerson } from '../world/world.ts';
import { rootOf } from './conversations.ts';
import { entitiesOf } from './entities.ts';
import type { Moment } from './moment.ts';
import type { StoredPost } from './posts.ts';
import { toUser } from './user-record.ts';

/** Whether somebody may answer a post: whoever began its conversation says who may, and always may themselves. */
export function mayAnswer(person: WorldPerson, post: StoredPost, moment: Moment): boolean {
  const root = rootOf(post, moment.feed) ?? post;
  const { relations } = moment;
  if (root.authorId === person.id) return true;
  switch (root.audience) {
    case undefined:
      return true;
    case 'ByInvitation':
      return entitiesOf(root.text, moment).some(({ userId }) => userId === person.id);
    case 'Community':
      return relations.follows(root.authorId, person.id);
    case 'Followers':
      return relations.follows(person.id, root.authorId);
    case 'Subscribers':
      return relations.subscribersOf(root.authorId).includes(person.id);
    case 'Verified':
      return toUser(person, moment).verified !== 'none';
    case 'Nobody':
      return false;
  }
}
