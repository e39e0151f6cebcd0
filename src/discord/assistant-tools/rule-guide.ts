/** The complete rule of the guide. */
export const EXAMPLE_RULE = `id: chess-tops            # small letters, digits and -
about: Announces channels that enter the top 3 of Chess.
when:
  every: 5m               # or cron: "0 9 * * *" with timezone: Europe/Berlin, or at: 2030-12-24T18:00:00Z
  watch: streaming.getGameStreams   # absent: the rule fires at every slot
  with: { game: Chess }
  where: item.viewerCount >= 100    # CEL
  take: 3                 # of a top list: the first 3 places
  changes: [entered]      # or left, { changed: [title] }, { rose: { field: viewerCount, above: 1000 } }
  settle: 10m             # how long an item must stay
cooldown: 6h              # per item
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} plays \${{ item.game.name }}: \${{ item.url }}" }
`;

/** Values of `when`, by use. */
export const WHENS: Readonly<Record<string, string>> = {
  'a channel goes live': '{ every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 15m }',
  'new clips of a game': '{ every: 10m, watch: streaming.getGameClips, with: { game: Chess, sort: TIME } }',
  'new clips of a channel': '{ every: 10m, watch: streaming.getUserClips, with: { user: ada } }',
  'new videos': '{ every: 10m, watch: streaming.getUserVideos, with: { user: ada } }',
  'new posts': '{ every: 5m, watch: social.getPosts, with: { user: ada } }',
  'another title': '{ every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 15m, changes: [{ changed: [title] }] }',
};

/** Steps for a rule that watches streams, each in the section that it belongs to. */
export const STEPS: readonly (readonly [section: 'then' | 'while' | 'finally', step: string])[] = [
  [
    'then',
    '{ id: card, do: discord.send, with: { channel: live, content: "${{ item.title }}", embed: { title: "${{ item.owner.displayName }}", url: "${{ item.url }}", image: "${{ item.thumbnailUrl }}" } } }',
  ],
  ['then', '{ do: social.createPost, if: item.viewerCount >= 100, with: { text: "${{ item.title }} ${{ item.url }}" } }'],
  [
    'while',
    '{ do: discord.edit, with: { message: "${{ steps.card.id }}", embed: { footer: "${{ compact(item.viewerCount) }} watching" } } }',
  ],
  ['finally', '{ do: discord.edit, with: { message: "${{ steps.card.id }}", content: "The stream has ended." } }'],
];

/** What a model needs to know in order to write a rule that passes the check. */
export const RULE_GUIDE = `Stores a draft of a rule of Fanfare for the person who asked for one. The draft does not run: the person sees it below your answer with a button, and only operators of Fanfare can click it. Fanfare checks the rule first. If something is wrong, you get the line and the reason: correct the rule and call this tool again.

A rule is one YAML file: when to poll, what to poll, and what to do with each change. Example:

${EXAMPLE_RULE}
Other values of when:
${Object.entries(WHENS)
  .map(([what, when]) => `- ${what}: ${when}`)
  .join('\n')}
The fields of a stream: owner.displayName, owner.handle, title, game.name, viewerCount, url, thumbnailUrl, startedAt, tags, language. Of a clip: title, owner, viewCount, url. Of a post: author, text, url.
Steps. then runs when an item opens, while at every later poll, finally when it closes:
${STEPS.map(([section, step]) => `- ${section}: ${step}`).join('\n')}
assistant.ask { text } asks a model. A step may have id, if (CEL), and as: the account of the step.
Do not write enabled: the approval turns the rule on. A message pings no one unless its step has mention: [Role]. A drafted rule changes no roles, deletes nothing, and pings neither everyone nor here.`;

export const EXAMPLE_TESTS = `rule: chess-tops
start: 2026-11-20T18:00:00Z
cases:
  - it: announces a new channel, and nothing at the first poll
    polls:
      - { at: 0s, items: [{ key: ada, viewerCount: 900 }] }
      - { at: 5m, items: [{ key: ada, viewerCount: 900 }, { key: grace, viewerCount: 200 }] }
      - { at: 10m, items: [{ key: ada, viewerCount: 900 }, { key: grace, viewerCount: 200 }] }
      - { at: 15m, items: [{ key: ada, viewerCount: 900 }, { key: grace, viewerCount: 200 }] }
    expect:
      - { at: 15m, do: discord.send, with: { content: "/grace/" } }
`;

export const TESTS_GUIDE = `Tests of the rule, as YAML. Fanfare runs them, and all of them must pass. Example:

${EXAMPLE_TESTS}`;
