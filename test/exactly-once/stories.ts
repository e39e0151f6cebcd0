import { join } from 'node:path';
import { creating } from '../support/firings.ts';
import { PNG } from '../support/media-files.ts';
import { writeFileSync } from 'node:fs';
import type { Network } from './networks.ts';
import type { Story } from './stage.ts';

type Telling = (network: Network) => Story;

export const onePost: Telling =
  ({ name }) =>
  (words) => ({ steps: [creating([name], { with: { text: `We are live in ${words}!` } })] });

/** More than two posts hold, and less than four. */
const MANY_WORDS: Readonly<Record<Network['name'], number>> = { x: 62, bluesky: 62, mastodon: 110 };

export const longText: Telling =
  ({ name }) =>
  (words) => {
    const text = Array.from({ length: MANY_WORDS[name] }, (_, index) => `${words}-${index}`).join(' ');
    return { steps: [creating([name], { fit: 'thread', with: { text } })] };
  };

export const ownThread: Telling =
  ({ name }) =>
  (words) => ({
    steps: [
      creating([name], { id: 'first', with: { text: `first of ${words}` } }),
      creating([name], {
        id: 'second',
        reads: ['first'],
        with: { text: `second of ${words}`, replyTo: '${{ steps.first.id }}', batchCompose: true },
      }),
    ],
    verbs: { first: 'social.createPost', second: 'social.createPost' },
  });

export const twoPictures: Telling =
  ({ name }) =>
  (words, folder) => {
    const path = join(folder, 'card.png');
    writeFileSync(path, PNG);
    return { steps: [creating([name], { with: { text: `A card of ${words}`, files: [path, { path, altText: 'a card' }] } })] };
  };
