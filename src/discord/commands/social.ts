import type { APIEmbed } from 'discord.js';
import { UserError } from '#src/errors.ts';
import { isPublic } from '#src/clients/operation/audience.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Trends } from '#src/clients/social/records/discovery.ts';
import type { User } from '#src/clients/social/records/user.ts';
import type { SocialClient } from '#src/admin/queries/lookup-clients.ts';
import type { Reader } from '#src/discord/caller.ts';
import type { CardSize } from '#src/discord/cards/card.ts';
import { personCard } from '#src/discord/cards/people-cards.ts';
import { postCard, trendsCard } from '#src/discord/cards/social-cards.ts';
import { accountsFor } from '#src/discord/lookups/accounts.ts';
import { chosen, nameOfChoice, POST_KINDS } from '#src/discord/lookups/choices.ts';
import { choicesFor, nameField, type Field } from '#src/discord/lookups/fields.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import type { Part } from '#src/discord/lookups/pager.ts';
import { accountView, cardPerItem, listView, type View } from '#src/discord/lookups/view.ts';
import { bold, escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

const TRENDS_PER_CARD = 10;
const accountsOffered = 'suggestions';

/** `/social`: posts, profiles, trends and threads. */
export function socialCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = [user, posts, post, search, trends, thread].flatMap((make) => make(lookups));
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.social, views });
}

const postField: Field = { title: (texts) => texts.lookups.options.post, required: true };

const repliesField: Field = {
  title: (texts) => texts.lookups.options.replies,
  choices: [
    { value: 'yes', name: (texts) => texts.lookups.yes },
    { value: 'no', name: (texts) => texts.lookups.no },
  ],
};

function personField({ suggest }: Lookups): Field {
  return nameField(({ lookups }) => lookups.options.person, suggest.people);
}

function user(lookups: Lookups): readonly View[] {
  return accountView({
    title: (texts) => texts.lookups.socialUser,
    accounts: accountsFor(lookups.social, 'getUserInfo', 'user'),
    accountsOffered,
    fields: [personField(lookups)],
    explanations: ({ on, values: { user: name = '' }, caller }) => ({ missing: caller.texts.lookups.nobodyKnown(escaped(name, 100), on) }),
    async load({ client, values: { user: name = '' }, caller }) {
      const found = await client.getUserInfo(name, { signal: caller.signal });
      const links = [{ label: caller.texts.lookups.buttons.profile, url: found.url }];
      return { content: '', embeds: [personCard(found, caller, 'large')], more: false, links };
    },
  });
}

function posts(lookups: Lookups): readonly View[] {
  return listView({
    title: (texts) => texts.lookups.socialPosts,
    accounts: accountsFor(lookups.social, 'getPosts'),
    accountsOffered,
    fields: [personField(lookups), repliesField],
    pager: lookups.pager,
    list({ client, on, values: { user: name = '', replies }, caller }) {
      const { lookups: texts } = caller.texts;
      return {
        read: (cursor, rows) => client.getPosts(name, { replies: replies === 'yes', cursor, rows, signal: caller.signal }),
        heading: ({ author }) => texts.postsOf(bold(author.displayName), on),
        none: texts.noPosts(bold(name)),
        missing: texts.nobodyKnown(escaped(name, 100), on),
        cards: cardPerItem(postCard),
      };
    },
  });
}

function post({ social }: Lookups): readonly View[] {
  return accountView({
    title: (texts) => texts.lookups.socialPost,
    accounts: accountsFor(social, 'postDetail'),
    accountsOffered,
    fields: [postField],
    explanations: ({ caller }) => ({ missing: caller.texts.lookups.noPost }),
    async load({ client, values: { post: typed = '' }, caller }) {
      const found = await client.postDetail(typed, { signal: caller.signal });
      // The member may not be among its readers.
      if (!isPublic(found)) throw new UserError(caller.texts.lookups.noPost);
      const links = [{ label: caller.texts.lookups.buttons.post, url: found.url }];
      return { content: '', embeds: [postCard(found, caller, 'large')], more: false, links };
    },
  });
}

function search({ social, pager, suggest }: Lookups): readonly View[] {
  const accounts = accountsFor(social, 'search');
  return listView({
    title: (texts) => texts.lookups.socialSearch,
    accounts,
    accountsOffered,
    fields: [
      { title: (texts) => texts.lookups.options.keyword, required: true, suggest: suggest.trends, accepts: (typed) => typed !== '' },
      { title: (texts) => texts.lookups.options.kind, choices: choicesFor(POST_KINDS, accounts, 'search', 'filter') },
    ],
    pager,
    list({ client, on, values: { keyword = '', for: wanted }, caller: { texts, signal } }) {
      const kind = chosen(POST_KINDS, wanted, 'Top');
      return {
        read: (cursor, rows) => client.search(keyword, { ...(kind !== 'Top' && { filter: kind }), cursor, rows, signal }),
        heading: () => texts.lookups.found(nameOfChoice(POST_KINDS, kind, texts), bold(keyword), on),
        none: texts.lookups.nothingFound(bold(keyword)),
        cards: cardPerItem(resultCard),
      };
    },
  });
}

function trends({ social, pager }: Lookups): readonly View[] {
  return listView<SocialClient, Trends>({
    title: (texts) => texts.lookups.socialTrends,
    accounts: accountsFor(social, 'getTrends'),
    accountsOffered,
    fields: [],
    pager,
    list({ client, on, caller: { texts, signal } }) {
      return {
        async read() {
          const items = await client.getTrends({ signal });
          return { items, scanned: items.length };
        },
        heading: () => texts.lookups.talkedAbout(on),
        none: texts.lookups.noTrends,
        cards: { size: TRENDS_PER_CARD, show: (items, reader) => [trendsCard(items, reader)] },
      };
    },
  });
}

function thread({ social, pager }: Lookups): readonly View[] {
  return listView({
    title: (texts) => texts.lookups.socialThread,
    accounts: accountsFor(accountsFor(social, 'getPostComments'), 'postDetail'),
    accountsOffered,
    fields: [postField],
    pager,
    list({ client, on, values: { post: typed = '' }, caller: { texts, signal } }) {
      return {
        read: (cursor) => readThread(client, { post: typed, cursor, signal }),
        heading: () => texts.lookups.thread(on),
        none: texts.lookups.noPost,
        missing: texts.lookups.noPost,
        cards: cardPerItem(postCard),
      };
    },
  });
}

interface ThreadRequest {
  /** An id or an address. */
  readonly post: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** A page of a post and its replies, each reply followed by its own replies. */
async function readThread(client: SocialClient, { post: id, cursor, signal }: ThreadRequest): Promise<Part<Post>> {
  const comments = client.getPostComments(id, { cursor, signal });
  const [first, threads] = await Promise.all([cursor === undefined ? client.postDetail(id, { signal }) : undefined, comments]);
  const answers = threads.items.flatMap(({ root, replies }) => [root, ...replies.map((reply) => reply.post)]);
  const items = first ? [first, ...answers] : answers;
  return { items, cursor: threads.cursor, scanned: items.length };
}

/** The fields of a record tell its kind. */
function resultCard(result: Post | User, reader: Reader, size: CardSize): APIEmbed {
  return 'author' in result ? postCard(result, reader, size) : personCard(result, reader, size);
}
