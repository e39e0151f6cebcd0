import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { creating, setting } from '../support/firings.ts';
import { MP4, PNG } from '../support/media-files.ts';
import type { Network } from './networks.ts';
import type { Story } from './fixture.ts';

type StoryOn = (network: Network) => Story;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const onePost: StoryOn = ({ name }) => ({
  deed: 'post',
  tell: ({ words }) => ({ steps: [creating([name], { with: { text: `We are live in ${words}!` } })] }),
});

/** More than two posts hold, and less than four. */
const MANY_WORDS: Readonly<Record<Network['name'], number>> = { x: 62, bluesky: 62, mastodon: 110 };

export const longText: StoryOn = ({ name }) => ({
  deed: 'post',
  tell({ words }) {
    const text = Array.from({ length: MANY_WORDS[name] }, (_, index) => `${words}-${index}`).join(' ');
    return { steps: [creating([name], { fit: 'thread', with: { text } })] };
  },
});

export const ownThread: StoryOn = ({ name }) => ({
  deed: 'post',
  tell: ({ words }) => ({
    steps: [
      creating([name], { id: 'first', with: { text: `first of ${words}` } }),
      creating([name], {
        id: 'second',
        reads: ['first'],
        with: { text: `second of ${words}`, replyTo: '${{ steps.first.id }}', batchCompose: true },
      }),
    ],
    verbs: { first: 'social.createPost', second: 'social.createPost' },
  }),
});

export const twoPictures: StoryOn = ({ name }) => ({
  deed: 'post',
  tell({ words, folder }) {
    const path = join(folder, 'card.png');
    writeFileSync(path, PNG);
    return { steps: [creating([name], { with: { text: `A card of ${words}`, files: [path, { path, altText: 'a card' }] } })] };
  },
});

/** Bluesky takes 25 videos in a day. */
export const oneVideo: StoryOn = ({ name }) => ({
  deed: 'post',
  apartMs: HOUR_MS,
  tell({ words, folder }) {
    const path = join(folder, 'clip.mp4');
    // A platform may know one that it had before.
    writeFileSync(path, Buffer.concat([MP4, Buffer.from(words)]));
    return { steps: [creating([name], { with: { text: `A clip of ${words}`, files: [path] } })] };
  },
});

export const onePoll: StoryOn = ({ name }) => ({
  deed: 'post',
  tell: ({ words }) => ({
    steps: [creating([name], { with: { text: `What next in ${words}?`, poll: { options: ['a raid', 'the end'], durationMinutes: 60 } } })],
  }),
});

export const oneQuote: StoryOn = ({ name }) => ({
  deed: 'post',
  hasSubject: true,
  tell: ({ words, subject }) => ({ steps: [creating([name], { with: { text: `As said in ${words}`, quote: subject } })] }),
});

export const oneMessage: StoryOn = ({ name }) => ({
  deed: 'message',
  // X lets messages be sent, and read, 15 times in as many minutes.
  apartMs: name === 'x' ? 15 * MINUTE_MS : MINUTE_MS,
  tell: ({ words, friend }) => ({
    steps: [creating([name], { do: 'social.sendMessage', with: { user: friend, text: `Congratulations in ${words}!` } })],
  }),
});

/** By itself long after the last of the worlds; Mastodon keeps 25 for a day. */
export const postForLater = ({ name }: Network, inMs = 30 * DAY_MS): Story => ({
  deed: 'post',
  apartMs: HOUR_MS,
  tell: ({ words, now }) => ({
    steps: [
      creating([name], {
        do: 'social.createScheduledPost',
        with: { text: `Later in ${words}`, sendAt: new Date(now.getTime() + inMs).toISOString() },
      }),
    ],
  }),
});

export const oneEdit: StoryOn = ({ name }) => ({
  deed: 'edit',
  hasSubject: true,
  tell: ({ words, subject }) => ({
    steps: [setting([name], { do: 'social.editPost', with: { post: subject, text: `It stands otherwise in ${words}.` } })],
  }),
});

export const oneDeletion: StoryOn = ({ name }) => ({
  deed: 'delete',
  hasSubject: true,
  apartMs: 2 * MINUTE_MS,
  tell: ({ subject }) => ({ steps: [setting([name], { do: 'social.deletePost', with: { post: subject } })] }),
});
