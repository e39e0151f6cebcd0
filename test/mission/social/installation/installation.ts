import { settleLists } from './lists.ts';
import { settleMessages } from './messages.ts';
import { openPeople, type Past } from './past.ts';
import { settlePosts, type PostSubjects } from './posts.ts';
import { settleReactions } from './reactions.ts';
import { settleRelations } from './relations.ts';

/** Ids of what the cases of writes try themselves on, each its own. */
export interface Subjects extends PostSubjects {
  readonly person: readonly string[];
}

/** Puts into the file of a sandbox what its people did before it started. */
export function settle(past: Past): Subjects {
  settleRelations(past);
  const posts = settlePosts(past);
  settleReactions(past);
  settleLists(past);
  settleMessages(past);
  return { ...posts, person: openPeople(past).slice(900, 1000) };
}
