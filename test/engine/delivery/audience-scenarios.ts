import type { JsonObject } from '#src/clients/operation/json.ts';
import { fc } from '../../support/property.ts';

export const ME = 'me';
export const EVERYONE = 'everyone';
const VISIBILITIES = ['public', 'unlisted', 'followers', 'direct'] as const;

type Kind = 'post' | 'message' | 'conversation' | 'list';

export interface Source {
  /** Unique, for example `t3t`. It is the id of the record and in all of its texts. */
  readonly token: string;
  readonly kind: Kind;
  readonly visibility: (typeof VISIBILITIES)[number] | 'private';
  readonly author: string;
}

const person = (name: string): JsonObject => ({ platform: 'mastodon', id: name, handle: name, displayName: name });

export function recordOf({ token, kind, visibility, author }: Source, edition = ''): JsonObject {
  const shared = { platform: 'mastodon', id: token, url: `https://example.invalid/${token}`, visibility };
  const text = `${token} wrote${edition}`;
  switch (kind) {
    case 'post':
      return { ...shared, author: person(author), text, entities: [], media: [], conversationId: 'thread' };
    case 'message':
      return { ...shared, sender: person(author), text, entities: [], media: [], conversationId: `group-of-${author}` };
    case 'conversation': {
      const lastMessage = recordOf({ token, kind: 'message', visibility, author }, edition);
      return { ...shared, kind: 'direct', participants: [person(author), person(ME)], title: text, unread: true, lastMessage };
    }
    case 'list':
      return { ...shared, name: text, description: text };
  }
}

/** The people who may read a record. */
export function readersOf({ visibility, author }: Source): ReadonlySet<string> {
  switch (visibility) {
    case 'public':
    case 'unlisted':
      return new Set([EVERYONE]);
    case 'followers':
      return new Set([`followers of ${author}`, author, ME]);
    case 'private':
      return new Set([ME]);
    case 'direct':
      return new Set([author, ME]);
  }
}

export function isWithin(readers: ReadonlySet<string>, allowed: ReadonlySet<string>): boolean {
  return allowed.has(EVERYONE) || readers.isSubsetOf(allowed);
}

/** What a rule reads beside its items. */
const LOOKUPS = {
  posts: '{ id: found, do: social.getPosts, with: { user: ada }, as: mastodon, INCLUDE }',
  inbox: '{ id: found, do: social.getInbox, as: mastodon, include: [direct] }',
  detail: '{ id: found, do: social.postDetail, with: { identifier: known }, as: mastodon }',
} as const;

/** Expressions with the content of a result, by the look-up. */
const FOUND = {
  posts: 'steps.found.items.map(one, one.text).join(" ")',
  inbox: 'steps.found.items.map(one, one.lastMessage.text).join(" ")',
  detail: 'steps.found.text',
} as const;

/** Writes with a place for a text. */
const WRITES = [
  '{ do: discord.send, with: { channel: live, content: TEXT } }',
  '{ do: discord.send, with: { channel: live, embed: { title: card, description: TEXT } } }',
  '{ do: discord.put, with: { name: card, channel: live, content: TEXT } }',
  '{ do: discord.thread, with: { channel: live, name: talk, content: TEXT } }',
  '{ do: discord.ask, with: { channel: live, content: TEXT, choices: [yes] } }',
  '{ do: social.createPost, as: ACCOUNT, with: { text: TEXT } }',
  '{ do: social.createPost, as: mastodon, with: { text: TEXT, visibility: followers } }',
  '{ do: social.createPost, as: mastodon, with: { text: TEXT, visibility: direct } }',
  '{ do: social.createPost, as: ACCOUNT, fit: thread, with: { text: TEXT, replyTo: REPLIED } }',
  '{ do: social.createPost, as: ACCOUNT, with: { text: TEXT, replyTo: REPLIED } }',
  '{ do: social.createPost, as: ACCOUNT, with: { text: TEXT, quote: REPLIED } }',
  '{ do: social.createPost, as: mastodon, with: { text: TEXT, files: ["https://example.invalid/a.png"] } }',
  '{ do: social.createScheduledPost, as: mastodon, with: { text: TEXT, sendAt: "2030-01-01T00:00:00Z" } }',
  '{ do: social.repostPost, as: mastodon, with: { post: REPLIED } }',
  '{ do: social.editPost, as: mastodon, with: { post: REPLIED, text: TEXT } }',
  '{ do: social.sendMessage, as: mastodon, with: { user: AUTHOR, text: TEXT } }',
  '{ do: social.sendMessage, as: mastodon, with: { user: stranger, text: TEXT } }',
  '{ do: social.sendMessage, as: mastodon, with: { user: AUTHOR, inGroup: true, text: TEXT } }',
  '{ do: social.createList, as: mastodon, with: { name: lists, description: TEXT } }',
  '{ do: social.createList, as: mastodon, with: { name: lists, description: TEXT, isPrivate: true } }',
] as const;

const watched = {
  post: { verb: 'social.getBookmarks', text: 'item.text', author: 'item.author.handle', lists: 'one.text' },
  conversation: {
    verb: 'social.getInbox',
    text: 'item.lastMessage.text',
    author: 'item.participants[0].handle',
    lists: 'one.lastMessage.text',
  },
  list: { verb: 'social.getLists', text: 'item.name', author: '"ada"', lists: 'one.name' },
} as const;

export interface Scenario {
  readonly rule: string;
  readonly items: readonly Source[];
  readonly found: readonly Source[];
  readonly lookup: keyof typeof LOOKUPS;
}

const author = fc.constantFrom('ada', 'grace', 'linus');
const include = fc.constantFrom('', 'include: [followers]', 'include: [direct]', 'include: [followers, direct]');

export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    watch: fc.constantFrom('post' as const, 'post' as const, 'conversation' as const, 'list' as const),
    include,
    lookupInclude: include,
    lookup: fc.constantFrom('posts' as const, 'inbox' as const, 'detail' as const),
    per: fc.constantFrom('item', 'item', 'poll'),
    section: fc.constantFrom('then', 'then', 'finally', 'while', 'quiet'),
    forEach: fc.constantFrom('', '', 'changes', 'found', 'texts'),
    writes: fc.array(fc.constantFrom(...WRITES), { minLength: 1, maxLength: 3 }),
    content: fc.constantFrom('item', 'found', 'asked', 'items', 'nothing', 'element'),
    replied: fc.constantFrom('item', 'found', 'first', 'fixed'),
    account: fc.constantFrom('mastodon', 'bluesky'),
    lifted: fc.boolean(),
    conversation: fc.constantFrom('', ', conversation: chat'),
    authors: fc.array(author, { minLength: 6, maxLength: 6 }),
    visibilities: fc.array(fc.constantFrom(...VISIBILITIES), { minLength: 6, maxLength: 6 }),
    itemCount: fc.integer({ min: 1, max: 3 }),
  })
  .map((one): Scenario => {
    const { verb, text, lists } = watched[one.watch];
    const per = one.section === 'then' ? one.per : 'item';
    const perItem = per === 'item' && one.section !== 'quiet';
    const ofLists = one.section === 'quiet' ? 'held.map(one, one.item)' : 'items';
    const each = {
      changes: one.section === 'quiet' ? 'held' : 'changes.entered',
      found: one.lookup === 'detail' ? '[steps.found]' : 'steps.found.items',
      texts: `${ofLists}.map(one, ${lists})`,
      '': '',
    }[one.forEach];
    const elementText = {
      changes: text.replace('item', 'it.item'),
      found: one.lookup === 'inbox' ? 'it.lastMessage.text' : 'it.text',
      texts: 'it',
      '': '""',
    }[one.forEach];
    const content = {
      item: perItem ? text : `${ofLists}.map(one, ${lists}).join(" ")`,
      found: FOUND[one.lookup],
      asked: 'steps.asked.message.text',
      items: `${ofLists}.map(one, ${lists}).join(" ")`,
      nothing: '"hello"',
      element: elementText,
    }[one.content];
    const replied = {
      item: perItem ? 'item.id' : '"fixed"',
      found: one.lookup === 'detail' ? 'steps.found.id' : '"known"',
      first: 'steps.first.id',
      fixed: '"fixed"',
    }[one.replied];
    const lift = one.lifted ? ', audience: public' : '';
    const itemAuthor = perItem ? watched[one.watch].author : '"grace"';
    const filled = (write: string): string =>
      write
        .replace('TEXT', JSON.stringify(`so: \${{ ${content} }}`))
        .replace('REPLIED', JSON.stringify(`\${{ ${replied} }}`))
        .replace('AUTHOR', JSON.stringify(`\${{ ${itemAuthor} }}`))
        .replace('ACCOUNT', one.account)
        .replace(/\}$/u, `${each === '' ? '' : `, forEach: ${JSON.stringify(each)}`}${lift} }`);
    const writes = one.writes.map(filled);
    const standing = [filled(WRITES[2])];
    const asked = perItem ? `${text} + " " + ${FOUND[one.lookup]}` : FOUND[one.lookup];
    const first = perItem
      ? `{ id: first, do: social.createPost, as: mastodon, with: { text: ${JSON.stringify(`re: \${{ ${text} }}`)}, replyTo: "\${{ item.id }}" } }`
      : '{ id: first, do: social.createPost, as: mastodon, with: { text: first } }';
    const isSetting = (write: string): boolean => write.includes('discord.put') || write.includes('social.editPost');
    const chosen = one.section === 'while' ? [...writes.filter(isSetting), ...standing] : writes;
    const steps = [
      LOOKUPS[one.lookup].replace('INCLUDE', one.lookupInclude).replace(/, \}$/u, ' }'),
      `{ id: asked, do: assistant.ask, with: { text: ${JSON.stringify(`say \${{ ${asked} }}`)}${one.conversation} } }`,
      ...(one.section === 'while' ? [] : [first]),
      ...chosen,
    ];
    const needsInclude = one.watch === 'conversation' ? 'include: [direct]' : one.include;
    const list = steps.map((step) => `  - ${step}`).join('\n');
    const quiet = one.section === 'quiet' ? `quiet:\n  from: "18:00"\n  to: "18:30"\n  then:\n${list.replaceAll('  - ', '    - ')}\n` : '';
    const section = one.section === 'while' || one.section === 'finally' ? `${one.section}:\n${list}\n` : '';
    const then =
      one.section === 'then'
        ? list
        : one.section === 'while'
          ? `  - ${first}`
          : '  - { do: discord.send, with: { channel: live, content: hi } }';
    const changes = one.section === 'finally' ? 'entered, left' : 'entered';
    const rule = `id: r
when:
  every: 1m
  watch: ${verb}
  with: { pages: all }
  account: mastodon
  first: fire
  per: ${per}
  changes: [${changes}]
  ${needsInclude}
${quiet}fuse: { firings: 1000 }
then:
${then}
${section}`;
    const source = (index: number, kind: Kind): Source => ({
      token: `t${index}t`,
      kind,
      visibility:
        kind === 'list' ? (index % 2 === 0 ? 'public' : 'private') : kind === 'post' ? (one.visibilities[index] ?? 'public') : 'direct',
      author: one.authors[index] ?? 'ada',
    });
    return {
      rule,
      lookup: one.lookup,
      items: Array.from({ length: one.itemCount }, (_, index) => source(index, one.watch)),
      found: [3, 4, 5].map((index) => source(index, one.lookup === 'inbox' ? 'conversation' : 'post')),
    };
  });
