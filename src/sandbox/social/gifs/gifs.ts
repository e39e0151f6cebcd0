import type { Gif } from '#src/social/records/gathering.ts';
import { fold } from '../hashtags.ts';
import { GIF_PIXELS } from './draw.ts';

const PROVIDER = 'sandbox';
/** How many there are of each kind. */
const TAKES = 3;

const MOODS: readonly string[] = ['Happy', 'Sad', 'Excited', 'Tired', 'Proud', 'Confused', 'Dancing', 'Waving'];
const ACTORS: readonly string[] = ['cat', 'dog', 'wizard', 'knight', 'robot', 'ghost', 'gamer', 'chess player'];
const REACTIONS: readonly string[] = [
  'Applause',
  'Confetti',
  'Countdown',
  'Facepalm',
  'Fireworks',
  'Game over',
  'Good game',
  'High five',
  'Level up',
  'Live now',
  'Mind blown',
  'New record',
  'Popcorn',
  'Rage quit',
  'Thumbs up',
  'Welcome',
];

export interface StoredGif {
  readonly id: string;
  readonly title: string;
}

const gifs: readonly StoredGif[] = [...REACTIONS, ...MOODS.flatMap((mood) => ACTORS.map((actor) => `${mood} ${actor}`))].flatMap((title) =>
  Array.from({ length: TAKES }, (_, take) => ({ id: `${fold(title).replaceAll(' ', '-')}-${take + 1}`, title })),
);

/** Those with every word of a term in their titles, where a word may be cut short. */
export function findGifs(term: string): readonly StoredGif[] {
  const wanted = fold(term).match(/[\p{L}\p{N}]+/gu) ?? [];
  return gifs.filter(({ title }) => {
    const words = fold(title).split(' ');
    return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

export function findGif(id: string): StoredGif | undefined {
  return gifs.find((gif) => gif.id === id);
}

/** The record of one; its picture stands at `url`. */
export function toGif({ id, title }: StoredGif, url: string): Gif {
  return {
    provider: PROVIDER,
    id,
    title,
    altText: `${title}, as a moving picture`,
    url: `${url}/gifs/${id}.gif`,
    previewUrl: `${url}/gifs/${id}-still.gif`,
    width: GIF_PIXELS,
    height: GIF_PIXELS,
    rating: 'g',
  };
}
