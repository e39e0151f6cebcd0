import { indexesOf, LINK, NAMES, PAGES, POSTS, traitsOf } from './reading-posts.ts';

const xIdOf = (index: number): string => String(1_990_000_000_000_000_000n - BigInt(index) * 2_516_582_400_000n);

/** A page of posts as X returns it. */
export function xPage(page: number): object {
  const indexes = indexesOf(page);
  const quoted = indexes.filter((index) => traitsOf(index).isQuote || traitsOf(index).isRepost);
  return {
    data: indexes.map((index) => xPost(index)),
    includes: {
      users: NAMES.map((name, index) => ({ id: String(1000 + index), name: name.toUpperCase(), username: name, protected: false })),
      media: indexes
        .filter((index) => traitsOf(index).hasPicture)
        .map((index) => ({
          media_key: `3_${xIdOf(index)}`,
          type: 'photo',
          url: `https://pbs.twimg.com/media/${index}.jpg`,
          width: 1280,
          height: 720,
          alt_text: 'A stage with a crowd in front of it',
        })),
      tweets: quoted.map((index) => xPost(index + 100_001)),
    },
    meta: {
      result_count: POSTS,
      newest_id: xIdOf(page * POSTS),
      oldest_id: xIdOf(page * POSTS + POSTS - 1),
      ...(page + 1 < PAGES && { next_token: `page${page + 1}` }),
    },
  };
}

function xPost(index: number): object {
  const { name, text, createdAt, hasLink, hasMention, hasTag, hasPicture, isQuote, isReply, isRepost } = traitsOf(index);
  const id = xIdOf(index);
  const author = String(1000 + NAMES.indexOf(name));
  const parts = [
    text,
    hasMention && '@grace',
    hasTag && '#VALORANT',
    hasLink && 'https://t.co/abcdefghij',
    hasPicture && 'https://t.co/picture123',
  ];
  const shown = parts.filter((part) => typeof part === 'string').join(' ');
  const at = (part: string) => ({
    start: Array.from(shown.slice(0, shown.indexOf(part))).length,
    end: Array.from(shown.slice(0, shown.indexOf(part) + part.length)).length,
  });
  const urls = [
    ...(hasLink
      ? [
          {
            ...at('https://t.co/abcdefghij'),
            url: 'https://t.co/abcdefghij',
            expanded_url: LINK,
            display_url: 'stream.example/ada/live',
            status: 200,
            title: 'Ada live',
            description: 'The finals of the cup, live.',
            unwound_url: LINK,
          },
        ]
      : []),
    ...(hasPicture
      ? [
          {
            ...at('https://t.co/picture123'),
            url: 'https://t.co/picture123',
            expanded_url: `https://x.com/${name}/status/${id}/photo/1`,
            display_url: 'pic.x.com/picture123',
            media_key: `3_${id}`,
          },
        ]
      : []),
  ];
  const references = [
    ...(isQuote ? [{ type: 'quoted', id: xIdOf(index + 100_001) }] : []),
    ...(isReply ? [{ type: 'replied_to', id: xIdOf(index + 1) }] : []),
    ...(isRepost ? [{ type: 'retweeted', id: xIdOf(index + 100_001) }] : []),
  ];
  return {
    id,
    text: shown,
    author_id: author,
    created_at: createdAt,
    conversation_id: isReply ? xIdOf(index + 1) : id,
    edit_history_tweet_ids: [id],
    lang: 'en',
    possibly_sensitive: false,
    reply_settings: 'everyone',
    public_metrics: { retweet_count: 12, reply_count: 4, like_count: 210, quote_count: 1, bookmark_count: 3, impression_count: 10_421 },
    ...((urls.length > 0 || hasMention || hasTag) && {
      entities: {
        ...(urls.length > 0 && { urls }),
        ...(hasMention && { mentions: [{ ...at('@grace'), username: 'grace', id: '1001' }] }),
        ...(hasTag && { hashtags: [{ ...at('#VALORANT'), tag: 'VALORANT' }] }),
      },
    }),
    ...(hasPicture && { attachments: { media_keys: [`3_${id}`] } }),
    ...(references.length > 0 && { referenced_tweets: references }),
    ...(isReply && { in_reply_to_user_id: '1002' }),
    ...(hasTag && {
      context_annotations: [
        {
          domain: { id: '46', name: 'Business Taxonomy', description: 'Categories within Brand Verticals' },
          entity: { id: '1557697333571112960', name: 'Gaming' },
        },
        {
          domain: { id: '71', name: 'Video Game', description: 'Video Games like VALORANT' },
          entity: { id: '1229420231337660416', name: 'VALORANT' },
        },
      ],
    }),
  };
}
