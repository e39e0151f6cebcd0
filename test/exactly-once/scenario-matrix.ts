import type { KillPoint } from './kill-points.ts';
import type { Network } from './networks.ts';
import {
  longText,
  oneDeletion,
  oneEdit,
  oneMessage,
  onePoll,
  oneQuote,
  oneVideo,
  threadOfSteps,
  postForLater,
  twoPictures,
} from './scenarios.ts';
import type { Scenario } from './fixture.ts';
import {
  UNAVAILABLE_AFTER_WRITE,
  NO_FAULTS,
  IGNORED_KEY,
  SHOWN_LATE,
  LOST_ANSWER,
  LOST_ANSWER_SHOWN_LATE,
  type FaultSchedule,
} from './faults.ts';

/** A kill before a call equals a kill after the call before it, so these suffice. */
export const MAIN_KILL_POINTS: readonly KillPoint[] = ['after', 'late'];

export interface ScenarioCase {
  readonly title: string;
  readonly scenario: (network: Network) => Scenario;
  /** The only platforms with this scenario; absent: all platforms have it. */
  readonly on?: readonly Network['name'][];
  readonly runs: readonly (readonly [faults: FaultSchedule, killPoints: readonly KillPoint[]])[];
}

/** Scenarios that create records, and the number of records. */
export const WRITES: readonly (ScenarioCase & { readonly makes: number })[] = [
  { title: 'a text that becomes a thread', scenario: longText, makes: 3, runs: [[NO_FAULTS, ['after']]] },
  {
    title: 'a thread of posts that reply to each other',
    scenario: threadOfSteps,
    makes: 2,
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [SHOWN_LATE, ['after']],
    ],
  },
  {
    title: 'a post with pictures',
    scenario: twoPictures,
    makes: 1,
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [LOST_ANSWER, ['after']],
      [UNAVAILABLE_AFTER_WRITE, ['after']],
    ],
  },
  // Each run uploads the video again. Faults of the post itself are the same as with pictures.
  { title: 'a post with a video', scenario: oneVideo, makes: 1, runs: [[NO_FAULTS, MAIN_KILL_POINTS]] },
  // Polls and quotes differ from other posts only in reconciliation.
  { title: 'a post with a poll', scenario: onePoll, makes: 1, on: ['x', 'mastodon'], runs: [[LOST_ANSWER_SHOWN_LATE, ['after']]] },
  { title: 'a quote', scenario: oneQuote, makes: 1, runs: [[LOST_ANSWER_SHOWN_LATE, ['after']]] },
  {
    title: 'a direct message',
    scenario: oneMessage,
    makes: 1,
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [LOST_ANSWER_SHOWN_LATE, ['after']],
    ],
  },
  // On other platforms, Fanfare keeps scheduled posts and sends them as normal posts.
  {
    title: 'a post that the platform schedules',
    scenario: postForLater,
    makes: 1,
    on: ['mastodon'],
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [IGNORED_KEY, ['after']],
    ],
  },
];

/** Scenarios that change an existing post. */
export const CHANGES: readonly ScenarioCase[] = [
  {
    title: 'an edit',
    scenario: oneEdit,
    on: ['x', 'mastodon'],
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [LOST_ANSWER, ['after']],
    ],
  },
  {
    title: 'a deletion',
    scenario: oneDeletion,
    runs: [
      [NO_FAULTS, MAIN_KILL_POINTS],
      [LOST_ANSWER, ['after']],
    ],
  },
];
