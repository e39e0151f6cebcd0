import { answers, row, walks, type Row } from '../rows.ts';
import { naming, postForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME, ROOT } from './installation/past.ts';
import { ada, factsOf, followersOf, seenPerson } from './world/people.ts';
import { isHidden, postFacts, posts, hasReaction, seenPost, whoReacted, writtenPost } from './world/posts.ts';
import type { StoredPost } from '#sandbox/social/posts.ts';

const PAGE = 20;
const HOUR_MS = 3_600_000;
const EDITED = '1390';

function rootForms(parameter: 'post_id' | 'identifier' = 'post_id') {
  return naming(postForms(parameter), () => ROOT);
}

/** A post by the people themselves that more than two pages of them like. */
function beloved(ground: SocialGround): StoredPost {
  const post = posts(ground).find((one) => one.likes > 60 && one.likes < 200 && one.createdAtMs < ground.nowMs - 5 * HOUR_MS);
  if (!post) throw new Error('nothing is liked');
  return post;
}

function answersTo(ground: SocialGround, id: string, { hidden }: { readonly hidden: boolean }): readonly StoredPost[] {
  const all = posts(ground).filter(({ replyTo }) => replyTo === id);
  return all.filter((post) => hidden || !isHidden(ground, post.id)).toReversed();
}

/** What was said below a post, each right after what it answers, with how deep it stands. */
function below(ground: SocialGround, id: string, shown: { readonly hidden: boolean }, depth = 1): readonly (readonly [number, string])[] {
  return answersTo(ground, id, shown).flatMap((answer) => [[depth, answer.id] as const, ...below(ground, answer.id, shown, depth + 1)]);
}

function threads(ground: SocialGround, shown: { readonly hidden: boolean }): readonly unknown[] {
  return answersTo(ground, ROOT, shown).map((root) => ({
    id: root.id,
    root: postFacts(root),
    replies: below(ground, root.id, shown),
    hiddenCount: below(ground, root.id, { hidden: true }).filter(([, id]) => isHidden(ground, id)).length,
  }));
}

function countsOf(ground: SocialGround, id: string) {
  const post = posts(ground).find((one) => one.id === id) ?? writtenPost(ground, id);
  const kept = ground.store.all('social.bookmarks') as unknown as readonly { readonly postId: string }[]; // as the platform wrote them
  return {
    likes: whoReacted(ground, 'like', post).length,
    reposts: whoReacted(ground, 'repost', post).length,
    replies: posts(ground).filter(({ replyTo }) => replyTo === id).length,
    quotes: posts(ground).filter(({ quote }) => quote === id).length,
    bookmarks: kept.filter(({ postId }) => postId === id).length,
  };
}

/** All that the root says of itself. */
function rootFacts(ground: SocialGround): unknown {
  const post = writtenPost(ground, ROOT);
  const place = (found: string): { readonly start: number; readonly end: number } => {
    const start = post.text.indexOf(found);
    return { start, end: start + found.length };
  };
  return {
    facts: postFacts(post),
    url: `${ground.home}/posts/${ROOT}`,
    language: 'en',
    conversationId: ROOT,
    entities: [
      { type: 'url', ...place('https://example.org'), url: 'https://example.org' },
      { type: 'mention', ...place('@ada'), url: `${ground.home}/@ada`, userId: ada(ground).id },
      { type: 'hashtag', ...place('#missionroot') },
    ],
    place: { id: 'berlin', name: 'Berlin', fullName: 'Berlin, Germany', country: 'Germany', countryCode: 'DE' },
    visibility: 'public',
    replyAudience: 'everyone',
    counts: countsOf(ground, ROOT),
    viewer: { liked: hasReaction(ground, 'like', ROOT), reposted: hasReaction(ground, 'repost', ROOT), bookmarked: false, pinned: false },
  };
}

/** Who comes by: a part of the followers and some more, two thirds of them in half a day, and all who respond. */
function analyticsFacts(ground: SocialGround): unknown {
  const { likes, reposts, replies, quotes, bookmarks } = countsOf(ground, ROOT);
  const { createdAtMs } = writtenPost(ground, ROOT);
  const responses = likes + reposts + replies + quotes + bookmarks;
  const come = (20 + 0.4 * followersOf(ground, ME).length) * (1 - Math.exp(-(ground.nowMs - createdAtMs) / (12 * HOUR_MS)));
  const impressions = Math.floor(come) + 25 * responses;
  const [profileClicks, urlClicks] = [Math.floor(impressions / 50), Math.floor(impressions / 20)];
  const engagements = responses + profileClicks + urlClicks;
  return {
    postId: ROOT,
    likes,
    reposts,
    replies,
    quotes,
    bookmarks,
    impressions,
    engagements,
    profileClicks,
    urlClicks,
    completeness: 'full',
  };
}

export function postReads(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'post_detail',
      answers(rootForms('identifier'), {
        call: ({ client }, post) => client.postDetail(post),
        seen: (post) => ({
          facts: seenPost(post),
          url: post.url,
          language: post.language,
          conversationId: post.conversationId,
          entities: post.entities,
          place: post.place,
          visibility: post.visibility,
          replyAudience: post.replyAudience,
          counts: post.counts,
          viewer: post.viewer,
        }),
        holds: rootFacts,
      }),
    ),
    row<SocialGround>(
      'get_post_likes',
      walks(rootForms(), {
        get: ({ client }, post, walk) => client.getPostLikes(post, walk),
        iter: ({ client }, post, walk) => client.iterPostLikes(post, walk),
        holds: (ground) => factsOf(ground, whoReacted(ground, 'like', writtenPost(ground, ROOT))),
        seen: seenPerson,
        page: PAGE,
      }),
      walks(
        { 'post_id: str, of a post that people like by themselves': (ground: SocialGround) => beloved(ground).id },
        {
          get: ({ client }, post, walk) => client.getPostLikes(post, walk),
          iter: ({ client }, post, walk) => client.iterPostLikes(post, walk),
          holds: (ground) => factsOf(ground, whoReacted(ground, 'like', beloved(ground))),
          seen: seenPerson,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_post_reposts',
      walks(rootForms(), {
        get: ({ client }, post, walk) => client.getPostReposts(post, walk),
        iter: ({ client }, post, walk) => client.iterPostReposts(post, walk),
        holds: (ground) => factsOf(ground, whoReacted(ground, 'repost', writtenPost(ground, ROOT))),
        seen: seenPerson,
        page: PAGE,
      }),
    ),
    row<SocialGround>(
      'get_post_quotes',
      walks(rootForms(), {
        get: ({ client }, post, walk) => client.getPostQuotes(post, walk),
        iter: ({ client }, post, walk) => client.iterPostQuotes(post, walk),
        holds: (ground) => {
          const authors = posts(ground).flatMap(({ quote, authorId }) => (quote === ROOT ? [authorId] : []));
          return factsOf(ground, [...new Set(authors)]);
        },
        seen: seenPerson,
        page: PAGE,
      }),
    ),
    row<SocialGround>(
      'get_post_comments',
      ...[false, true].map((hidden) =>
        walks(hidden ? { 'get_hidden: true': () => ROOT } : rootForms(), {
          get: ({ client }: SocialGround, post, walk) => client.getPostComments(post, { ...walk, getHidden: hidden }),
          iter: ({ client }: SocialGround, post, walk) => client.iterPostComments(post, { ...walk, getHidden: hidden }),
          holds: (ground) => threads(ground, { hidden }),
          seen: ({ id, root, replies, hiddenCount }) => ({
            id,
            root: seenPost(root),
            replies: replies.map(({ depth, post }) => [depth, post.id]),
            hiddenCount,
          }),
          page: PAGE,
        }),
      ),
    ),
  ];
}

export function insightRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_post_analytics',
      answers(rootForms(), {
        call: ({ client }, post) => client.getPostAnalytics(post),
        seen: ({ fetchedAt: _fetchedAt, ...facts }) => facts,
        holds: analyticsFacts,
      }),
    ),
    row<SocialGround>(
      'translate_post',
      answers(rootForms(), {
        call: ({ client }, post) => client.translatePost(post, 'de'),
        seen: (facts) => facts,
        holds: (ground) => ({
          postId: ROOT,
          text: `[de] ${writtenPost(ground, ROOT).text}`,
          sourceLanguage: 'en',
          targetLanguage: 'de',
          provider: 'sandbox',
        }),
      }),
      answers(
        { 'language: that which it is in': () => ROOT },
        {
          call: ({ client }, post) => client.translatePost(post, 'en'),
          seen: ({ text, targetLanguage }) => [text, targetLanguage],
          holds: (ground) => [writtenPost(ground, ROOT).text, 'en'],
        },
      ),
    ),
    row<SocialGround>(
      'post_edit_history',
      answers(
        naming(postForms('identifier'), () => EDITED),
        {
          call: ({ client }, post) => client.postEditHistory(post),
          seen: (facts) => facts,
          holds: (ground) => {
            const { text, earlier, editedAtMs } = writtenPost(ground, EDITED);
            const versions = [...earlier, { text, atMs: editedAtMs ?? 0 }];
            return {
              postId: EDITED,
              complete: true,
              versions: versions.map((one) => ({ text: one.text, createdAt: new Date(one.atMs), media: [] })),
            };
          },
        },
      ),
    ),
  ];
}
