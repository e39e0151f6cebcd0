import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { creating, setting } from '../support/firings.ts';
import { MP4, PNG } from '../support/media-files.ts';
import type { Network } from './networks.ts';
import type { Scenario } from './fixture.ts';

type ScenarioOn = (network: Network) => Scenario;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const onePost: ScenarioOn = ({ name }) => ({
  write: 'post',
  plan: ({ uniqueText }) => ({ steps: [creating([name], { with: { text: `We are live in ${uniqueText}!` } })] }),
});

/** The number of words that needs three posts. */
const WORDS: Readonly<Record<Network['name'], number>> = { x: 62, bluesky: 62, mastodon: 110 };

export const longText: ScenarioOn = ({ name }) => ({
  write: 'post',
  plan({ uniqueText }) {
    const text = Array.from({ length: WORDS[name] }, (_, index) => `${uniqueText}-${index}`).join(' ');
    return { steps: [creating([name], { fit: 'thread', with: { text } })] };
  },
});

export const threadOfSteps: ScenarioOn = ({ name }) => ({
  write: 'post',
  plan: ({ uniqueText }) => ({
    steps: [
      creating([name], { id: 'first', with: { text: `first of ${uniqueText}` } }),
      creating([name], {
        id: 'second',
        reads: ['first'],
        with: { text: `second of ${uniqueText}`, replyTo: '${{ steps.first.id }}', batchCompose: true },
      }),
    ],
    verbs: { first: 'social.createPost', second: 'social.createPost' },
  }),
});

export const twoPictures: ScenarioOn = ({ name }) => ({
  write: 'post',
  plan({ uniqueText, folder }) {
    const path = join(folder, 'card.png');
    writeFileSync(path, PNG);
    return { steps: [creating([name], { with: { text: `A card of ${uniqueText}`, files: [path, { path, altText: 'a card' }] } })] };
  },
});

/** Bluesky accepts 25 videos a day. */
export const oneVideo: ScenarioOn = ({ name }) => ({
  write: 'post',
  apartMs: HOUR_MS,
  plan({ uniqueText, folder }) {
    const path = join(folder, 'clip.mp4');
    // A platform may recognize a video that it already has.
    writeFileSync(path, Buffer.concat([MP4, Buffer.from(uniqueText)]));
    return { steps: [creating([name], { with: { text: `A clip of ${uniqueText}`, files: [path] } })] };
  },
});

export const onePoll: ScenarioOn = ({ name }) => ({
  write: 'post',
  plan: ({ uniqueText }) => ({
    steps: [
      creating([name], { with: { text: `What next in ${uniqueText}?`, poll: { options: ['a raid', 'the end'], durationMinutes: 60 } } }),
    ],
  }),
});

export const oneQuote: ScenarioOn = ({ name }) => ({
  write: 'post',
  hasSubject: true,
  plan: ({ uniqueText, subject }) => ({ steps: [creating([name], { with: { text: `As said in ${uniqueText}`, quote: subject } })] }),
});

export const oneMessage: ScenarioOn = ({ name }) => ({
  write: 'message',
  // X allows 15 messages in 15 minutes.
  apartMs: name === 'x' ? 15 * MINUTE_MS : MINUTE_MS,
  plan: ({ uniqueText, friend }) => ({
    steps: [creating([name], { do: 'social.sendMessage', with: { user: friend, text: `Congratulations in ${uniqueText}!` } })],
  }),
});

/** A scheduled post long after the last world; Mastodon accepts 25 a day. */
export const postForLater = ({ name }: Network, inMs = 30 * DAY_MS): Scenario => ({
  write: 'post',
  apartMs: HOUR_MS,
  plan: ({ uniqueText, now }) => ({
    steps: [
      creating([name], {
        do: 'social.createScheduledPost',
        with: { text: `Later in ${uniqueText}`, sendAt: new Date(now.getTime() + inMs).toISOString() },
      }),
    ],
  }),
});

export const oneEdit: ScenarioOn = ({ name }) => ({
  write: 'edit',
  hasSubject: true,
  plan: ({ uniqueText, subject }) => ({
    steps: [setting([name], { do: 'social.editPost', with: { post: subject, text: `An edited post in ${uniqueText}.` } })],
  }),
});

export const oneDeletion: ScenarioOn = ({ name }) => ({
  write: 'delete',
  hasSubject: true,
  apartMs: 2 * MINUTE_MS,
  plan: ({ subject }) => ({ steps: [setting([name], { do: 'social.deletePost', with: { post: subject } })] }),
});
