import { indexesOf, LINK, PAGES, TEXTS, traitsOf } from './reading-posts.ts';

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const uriOf = (index: number): string => `at://${DID}/app.bsky.feed.post/3l${String(index).padStart(11, 'z')}`;
const CID = 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a';

/** A page of a feed as Bluesky returns it. */
export function blueskyPage(page: number): object {
  const indexes = indexesOf(page);
  return {
    feed: indexes.map((index) => ({
      post: blueskyPost(index),
      ...(traitsOf(index).isReply && { reply: { root: answered(index), parent: answered(index) } }),
      ...(traitsOf(index).isRepost && {
        reason: {
          $type: 'app.bsky.feed.defs#reasonRepost',
          by: blueskyProfile('grace'),
          uri: `at://${DID}/app.bsky.feed.repost/3l${index}`,
          cid: CID,
          indexedAt: traitsOf(index).createdAt,
        },
      }),
    })),
    ...(page + 1 < PAGES && { cursor: `page${page + 1}` }),
  };
}

/** The post that another one answers. */
const answered = (index: number): object => ({ $type: 'app.bsky.feed.defs#postView', ...blueskyPost(index + 1) });

function blueskyProfile(name: string): object {
  return {
    did: DID,
    handle: `${name}.bsky.social`,
    displayName: name.toUpperCase(),
    avatar: `https://cdn.bsky.app/img/avatar/plain/${DID}/${CID}`,
    associated: { chat: { allowIncoming: 'following' }, activitySubscription: { allowSubscriptions: 'followers' } },
    viewer: { muted: false, blockedBy: false, following: `at://${DID}/app.bsky.graph.follow/3lfollow` },
    labels: [],
    createdAt: '2023-05-04T10:11:12.000Z',
  };
}

function blueskyPost(index: number): object {
  const { name, text, createdAt, hasLink, hasMention, hasTag, hasPicture, isQuote, isReply } = traitsOf(index);
  const shown = [text, hasMention && '@grace.bsky.social', hasTag && '#VALORANT', hasLink && LINK]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const at = (part: string) => {
    const byteStart = Buffer.byteLength(shown.slice(0, shown.indexOf(part)));
    return { byteStart, byteEnd: byteStart + Buffer.byteLength(part) };
  };
  const facet = (part: string, feature: object) => ({ $type: 'app.bsky.richtext.facet', index: at(part), features: [feature] });
  const facets = [
    ...(hasMention ? [facet('@grace.bsky.social', { $type: 'app.bsky.richtext.facet#mention', did: DID })] : []),
    ...(hasTag ? [facet('#VALORANT', { $type: 'app.bsky.richtext.facet#tag', tag: 'VALORANT' })] : []),
    ...(hasLink ? [facet(LINK, { $type: 'app.bsky.richtext.facet#link', uri: LINK })] : []),
  ];
  const ref = { uri: uriOf(index + 1), cid: CID };
  const blob = {
    $type: 'blob',
    ref: { $link: 'bafkreibabalobzn6cd366ukcsjycp4yymjymgfxcv6xczmlgpemzkz3cfa' },
    mimeType: 'image/jpeg',
    size: 760_898,
  };
  const picture = { aspectRatio: { width: 1280, height: 720 }, alt: 'A stage with a crowd in front of it' };
  const images = { $type: 'app.bsky.embed.images', images: [{ ...picture, image: blob }] };
  const quote = { $type: 'app.bsky.embed.record', record: ref };
  const quoted = { text: TEXTS[0], createdAt, $type: 'app.bsky.feed.post', langs: ['en'] };
  return {
    uri: uriOf(index),
    cid: CID,
    author: blueskyProfile(name),
    record: {
      $type: 'app.bsky.feed.post',
      text: shown,
      createdAt,
      langs: ['en'],
      ...(facets.length > 0 && { facets }),
      ...(isReply && { reply: { root: ref, parent: ref } }),
      ...(hasPicture && { embed: images }),
      ...(isQuote && { embed: quote }),
    },
    ...(hasPicture && {
      embed: {
        $type: 'app.bsky.embed.images#view',
        images: [{ ...picture, thumb: `https://cdn.bsky.app/thumb/${index}`, fullsize: `https://cdn.bsky.app/full/${index}` }],
      },
    }),
    ...(isQuote && {
      embed: {
        $type: 'app.bsky.embed.record#view',
        record: {
          $type: 'app.bsky.embed.record#viewRecord',
          ...ref,
          author: blueskyProfile('grace'),
          value: quoted,
          labels: [],
          likeCount: 3,
          replyCount: 0,
          repostCount: 1,
          quoteCount: 1,
          indexedAt: createdAt,
        },
      },
    }),
    bookmarkCount: 3,
    replyCount: 4,
    repostCount: 12,
    likeCount: 210,
    quoteCount: 1,
    indexedAt: createdAt,
    viewer: { bookmarked: false, threadMuted: false, replyDisabled: false, embeddingDisabled: false },
    labels: [],
  };
}

/** The answer to a sign-in. */
export const blueskySession = { did: DID, handle: 'ada.test', accessJwt: 'access', refreshJwt: 'refresh', active: true };
