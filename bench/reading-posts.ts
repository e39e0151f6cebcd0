/** The number of posts of a page, and of pages of a walk. */
export const POSTS = 100;
export const PAGES = 10;

export const TEXTS = [
  'Going live in ten minutes with the finals! Come and say hello 👋',
  'Thank you all for 2,000 followers 🎉 There will be a giveaway tomorrow at 19:00 CET, with three keys and a hoodie. Rules are in the channel.',
  'What a match. Three rounds down and they still turned it around; the last clutch alone was worth the evening.',
  'New video is up: how we built the arena, from the first sketch to the last light.',
];
export const LINK = 'https://stream.example/ada/live';
export const NAMES = ['ada', 'grace', 'linus', 'margaret', 'alan', 'barbara'];
/** The time of the newest post. */
const NEWEST_MS = Date.UTC(2026, 10, 20, 12);

/** A post by its place in the list, newest first. Some have links, mentions, tags, pictures, quotes, or answer another one. */
export function traitsOf(index: number) {
  return {
    name: NAMES[index % NAMES.length] ?? '',
    text: TEXTS[index % TEXTS.length] ?? '',
    createdAt: new Date(NEWEST_MS - index * 600_000).toISOString(),
    hasLink: index % 2 === 0,
    hasMention: index % 3 === 0,
    hasTag: index % 3 === 1,
    hasPicture: index % 4 === 1,
    isQuote: index % 10 === 7,
    isReply: index % 5 === 3,
    isRepost: index % 10 === 4,
  };
}

/** The places of the posts of a page. */
export function indexesOf(page: number): readonly number[] {
  return Array.from({ length: POSTS }, (_, index) => page * POSTS + index);
}
