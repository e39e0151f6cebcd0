import { below, createDice } from '../../world/dice.ts';
import type { Communities } from '../communities.ts';
import type { People } from '../people.ts';
import type { NewPost, Resonance } from '../posts.ts';
import type { Relations } from '../relations.ts';

const MOST_REPLIES = 4;

export interface ResonanceOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly communities: Communities;
}

/** What comes by itself of what somebody writes: the more, the more people follow them, and the same for the same post. */
export function resonanceOf({ people, relations, communities }: ResonanceOptions): (id: string, post: NewPost) => Resonance {
  return (id, { authorId, audience, replyTo, community, poll }) => {
    const invited = community !== undefined && communities.find(community)?.joinPolicy === 'invitation';
    if (people.isProtected(authorId) || invited) return {};
    const dice = createDice(0, `resonance ${id}`);
    const followers = relations.followersOf(authorId).length;
    // What stands below another post is seen by few, and nobody answers it: two programs would never end.
    const isAnswer = replyTo !== undefined;
    const seenBy = (3 + followers / 3) * (isAnswer ? 0.25 : 1);
    return {
      likes: Math.floor(seenBy * (0.4 + dice(0))),
      reposts: Math.floor((seenBy / 5) * (0.2 + dice(1))),
      replies: isAnswer || audience !== undefined ? 0 : Math.min(MOST_REPLIES, Math.floor((seenBy / 5) * 1.6 * dice(2))),
      votes: poll?.options.map((_, index) => below(Math.ceil(seenBy), dice(3, index))),
    };
  };
}
