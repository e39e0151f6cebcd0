import type { Moment } from './crash-points.ts';
import type { Network } from './networks.ts';
import {
  longText,
  oneDeletion,
  oneEdit,
  oneMessage,
  onePoll,
  oneQuote,
  oneVideo,
  ownThread,
  postForLater,
  twoPictures,
} from './rule-scenarios.ts';
import type { Story } from './fixture.ts';
import { BREAKDOWN_AFTER, CALM, IGNORED_KEY, LATE_SIGHT, LOST_ANSWER, LOST_LATE_SIGHT, type Weather } from './faults.ts';

/** To die before something is to have died after what came before it: all the same to whoever starts again. */
export const ENOUGH: readonly Moment[] = ['after', 'late'];

export interface Tale {
  readonly tale: string;
  readonly story: (network: Network) => Story;
  /** Where it can happen; absent: everywhere. */
  readonly on?: readonly Network['name'][];
  readonly cutIn: readonly (readonly [weather: Weather, moments: readonly Moment[]])[];
}

/** What is written, and how often. */
export const WRITTEN: readonly (Tale & { readonly makes: number })[] = [
  { tale: 'a text that becomes a thread', story: longText, makes: 3, cutIn: [[CALM, ['after']]] },
  {
    tale: 'a thread of posts that answer each other',
    story: ownThread,
    makes: 2,
    cutIn: [
      [CALM, ENOUGH],
      [LATE_SIGHT, ['after']],
    ],
  },
  {
    tale: 'a post with pictures',
    story: twoPictures,
    makes: 1,
    cutIn: [
      [CALM, ENOUGH],
      [LOST_ANSWER, ['after']],
      [BREAKDOWN_AFTER, ['after']],
    ],
  },
  // On its way to the post a video is begun anew by each life: what befalls the post is that of one with pictures.
  { tale: 'a post with a video', story: oneVideo, makes: 1, cutIn: [[CALM, ENOUGH]] },
  // What tells them from other posts matters to whoever looks for them only.
  { tale: 'a post with a poll', story: onePoll, makes: 1, on: ['x', 'mastodon'], cutIn: [[LOST_LATE_SIGHT, ['after']]] },
  { tale: 'a quote', story: oneQuote, makes: 1, cutIn: [[LOST_LATE_SIGHT, ['after']]] },
  {
    tale: 'a direct message',
    story: oneMessage,
    makes: 1,
    cutIn: [
      [CALM, ENOUGH],
      [LOST_LATE_SIGHT, ['after']],
    ],
  },
  // Elsewhere nobody keeps it but the program: then it is a post like all others.
  {
    tale: 'a post that the network keeps for later',
    story: postForLater,
    makes: 1,
    on: ['mastodon'],
    cutIn: [
      [CALM, ENOUGH],
      [IGNORED_KEY, ['after']],
    ],
  },
];

/** What is done to a post that stands. */
export const DONE: readonly Tale[] = [
  {
    tale: 'an edit',
    story: oneEdit,
    on: ['x', 'mastodon'],
    cutIn: [
      [CALM, ENOUGH],
      [LOST_ANSWER, ['after']],
    ],
  },
  {
    tale: 'a deletion',
    story: oneDeletion,
    cutIn: [
      [CALM, ENOUGH],
      [LOST_ANSWER, ['after']],
    ],
  },
];
