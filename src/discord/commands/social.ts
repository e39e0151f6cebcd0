import type { APIEmbed } from 'discord.js';
import type { Post } from '#src/social/records/post.ts';
import type { Trends } from '#src/social/records/gathering.ts';
import type { User } from '#src/social/records/user.ts';
import type { SocialAsync } from '#src/social/social.ts';
import type { CardSize, Reader } from '../cards/card.ts';
import { personCard } from '../cards/people-cards.ts';
import { postCard } from '../cards/post-card.ts';
import { trendsCard } from '../cards/trends-card.ts';
import { accountView } from '../lookups/account-view.ts';
import { accountsFor, choicesFor } from '../lookups/accounts.ts';
import { personField } from '../lookups/fields.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { chosen, POST_KINDS } from '../lookups/orders.ts';
import { readThread } from '../lookups/threads.ts';
import { bold } from '../lookups/typed.ts';
import type { Field, View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

const TRENDS_ON_A_CARD = 10;
const accountsOffered = 'suggestions';

/** `/social`: posts and people. */
export function socialCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = [user, posts, post, search, trends, thread].flatMap((make) => make(lookups));
  return lookupCommand({ ...lookups, title: (words) => words.lookups.social, views });
}

function user(shared: Lookups): readonly View[] {
  return accountView({
    title: (words) => words.lookups.socialUser,
    accounts: accountsFor(shared.social, 'getUserInfo', 'user'),
    accountsOffered,
    fields: [personField(shared)],
    explanations: ({ given: { user: name = '' }, asker }) => ({ missing: asker.words.lookups.nobodyKnown(escaped(name, 100)) }),
    async look({ client, given: { user: name = '' }, asker }) {
      const found = await client.getUserInfo(name, { signal: asker.signal });
      const links = [{ label: asker.words.lookups.buttons.profile, url: found.url }];
      return { content: '', embeds: [personCard(found, asker, 'large')], more: false, links };
    },
  });
}

function posts(shared: Lookups): readonly View[] {
  return listView({
    title: (words) => words.lookups.socialPosts,
    accounts: accountsFor(shared.social, 'getPosts'),
    accountsOffered,
    fields: [personField(shared), repliesField],
    pager: shared.pager,
    list({ client, on, given: { user: name = '', replies }, asker }) {
      const { lookups } = asker.words;
      return {
        read: (cursor) => client.getPosts(name, { replies: replies === 'yes', cursor, signal: asker.signal }),
        heading: ({ author }) => lookups.postsOf(bold(author.displayName), on),
        none: lookups.noPosts(bold(name)),
        missing: lookups.nobodyKnown(escaped(name, 100)),
        cards: eachAs(postCard),
      };
    },
  });
}

function post({ social }: Lookups): readonly View[] {
  return accountView({
    title: (words) => words.lookups.socialPost,
    accounts: accountsFor(social, 'postDetail'),
    accountsOffered,
    fields: [postField],
    explanations: ({ asker }) => ({ missing: asker.words.lookups.noPost }),
    async look({ client, given: { post: named = '' }, asker }) {
      const found = await client.postDetail(named, { signal: asker.signal });
      const links = [{ label: asker.words.lookups.buttons.post, url: found.url }];
      return { content: '', embeds: [postCard(found, asker, 'large')], more: false, links };
    },
  });
}

function search({ social, pager, suggest }: Lookups): readonly View[] {
  const accounts = accountsFor(social, 'search');
  return listView({
    title: (words) => words.lookups.socialSearch,
    accounts,
    accountsOffered,
    fields: [
      { title: (words) => words.lookups.options.keyword, required: true, suggest: suggest.trends },
      { title: (words) => words.lookups.options.kind, choices: choicesFor(POST_KINDS, accounts, 'search', 'filter') },
    ],
    pager,
    list({ client, on, given: { keyword = '', for: wanted }, asker }) {
      const { lookups } = asker.words;
      const kind = chosen(POST_KINDS, wanted, 'Top');
      return {
        read: (cursor) => client.search(keyword, { ...(kind !== 'Top' && { filter: kind }), cursor, signal: asker.signal }),
        heading: () => lookups.found(POST_KINDS.find(({ value }) => value === kind)?.name(asker.words) ?? '', bold(keyword), on),
        none: lookups.nothingFound(bold(keyword)),
        cards: eachAs(foundCard),
      };
    },
  });
}

function trends({ social, pager }: Lookups): readonly View[] {
  return listView<SocialAsync, Trends>({
    title: (words) => words.lookups.socialTrends,
    accounts: accountsFor(social, 'getTrends'),
    accountsOffered,
    fields: [],
    pager,
    list({ client, on, asker }) {
      const { lookups } = asker.words;
      return {
        async read() {
          const items = await client.getTrends({ signal: asker.signal });
          return { items, scanned: items.length };
        },
        heading: () => lookups.talkedAbout(on),
        none: lookups.noTrends,
        cards: { size: TRENDS_ON_A_CARD, show: (items, reader) => [trendsCard(items, reader)] },
      };
    },
  });
}

function thread({ social, pager }: Lookups): readonly View[] {
  return listView({
    title: (words) => words.lookups.socialThread,
    accounts: accountsFor(accountsFor(social, 'getPostComments'), 'postDetail'),
    accountsOffered,
    fields: [postField],
    pager,
    list({ client, on, given: { post: named = '' }, asker }) {
      const { lookups } = asker.words;
      return {
        read: (cursor) => readThread(client, { post: named, cursor, signal: asker.signal }),
        heading: () => lookups.thread(on),
        none: lookups.noPost,
        missing: lookups.noPost,
        cards: eachAs(postCard),
      };
    },
  });
}

const postField: Field = { title: (words) => words.lookups.options.post, required: true };

const repliesField: Field = {
  title: (words) => words.lookups.options.replies,
  choices: [
    { value: 'yes', name: (words) => words.lookups.yes },
    { value: 'no', name: (words) => words.lookups.no },
  ],
};

/** Records tell by their fields what they are. */
function foundCard(found: Post | User, reader: Reader, size: CardSize): APIEmbed {
  return 'author' in found ? postCard(found, reader, size) : personCard(found, reader, size);
}
