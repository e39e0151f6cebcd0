import type { ChaosRule } from './history.ts';
import type { Random } from './random.ts';

/** A rule, and the Discord channel of its messages. */
export interface ChannelRule extends ChaosRule {
  readonly channel: string;
}

const EVERY_MS = 5_000;
const WATCHED = 3;

type Plan = readonly [shape: ChaosRule['shape'], accounts: readonly string[], channels: readonly string[], everyMs?: number];

/** One rule for each channel. Discord limits messages by channel. */
const PLANS: readonly Plan[] = [
  ['card', ['discord'], ['stream-news', 'live', 'general', 'valorant', 'puzzles', 'announcements']],
  ['card', ['berlin'], ['stream-news', 'live', 'general', 'general']],
  ['title', ['discord'], ['puzzles', 'live', 'valorant']],
  ['title', ['berlin'], ['live', 'stream-news']],
  ['title', ['club'], ['']],
  ['reply', ['sandbox', 'club'], ['', '', '', '']],
  ['reply', ['mastodon'], ['']],
  ['reply', ['mastodon', 'bluesky'], ['']],
  ['reply', ['x'], ['']],
  ['reply', ['x', 'club'], ['']],
  ['removal', ['sandbox'], ['']],
  ['removal', ['club', 'sandbox'], ['']],
  ['slot', ['discord', 'berlin'], ['general'], 15_000],
  ['slot', ['discord'], ['stream-news'], 20_000],
  ['slot', ['berlin'], ['live'], 30_000],
  ['slot', ['sandbox', 'club'], [''], 10_000],
  ['slot', ['club'], [''], 15_000],
];

/** The rules of a run. Each watches some of the people. */
export function planRules(people: readonly string[], random: Random): readonly ChannelRule[] {
  const numbers = new Map<string, number>();
  let waiting: readonly string[] = [];

  /** Everyone is watched before someone is watched again. */
  function watched(): string[] {
    const found: string[] = [];
    while (found.length < WATCHED) {
      const [next] = waiting;
      if (next === undefined) waiting = random.shuffled(people.filter((handle) => !found.includes(handle)));
      else {
        if (!found.includes(next)) found.push(next);
        waiting = waiting.slice(1);
      }
    }
    return found;
  }

  return PLANS.flatMap(([shape, accounts, channels, everyMs = EVERY_MS]) =>
    channels.map((channel) => {
      const number = (numbers.get(shape) ?? 0) + 1;
      numbers.set(shape, number);
      return { id: `${shape}-${number}`, shape, accounts: [...accounts], channel, people: shape === 'slot' ? [] : watched(), everyMs };
    }),
  );
}

const ABOUT_ITEM = '${{ item.owner.handle }} ${{ item.id }}';

/** The file of a rule. Its texts are read by `readAnnouncement` of the checker. */
export function ruleFile({ id, shape, accounts, channel, people, everyMs }: ChannelRule): string {
  const as = `[${accounts.join(', ')}]`;
  const opened = `opened ${id} ${ABOUT_ITEM} \${{ item.title }}`;
  const head = [
    `id: ${id}`,
    // The default fuse pauses a rule with many firings, and `max` drops firings in a long queue.
    'fuse: { firings: 100000, per: 1h }',
    'max: 1000',
    shape === 'slot'
      ? `when: { every: ${everyMs / 1000}s, missed: all }`
      : `when: { every: ${everyMs / 1000}s, watch: streaming.getStreams, with: { users: ${JSON.stringify(people)} }, first: fire` +
        `${shape === 'title' ? ', changes: [entered, { changed: [title] }]' : ''} }`,
  ];
  const message = (content: string): string => `do: discord.send, as: ${as}, with: { channel: ${channel}, content: "${content}" }`;
  const post = (text: string, more = ''): string => `do: social.createPost, as: ${as}, with: { ${more}text: "${text}" }`;
  const send = channel === '' ? post : message;
  return `${[...head, ...STEPS[shape]({ id, as, opened, message, post, send })].join('\n')}\n`;
}

interface StepTexts {
  readonly id: string;
  readonly as: string;
  readonly opened: string;
  readonly message: (content: string) => string;
  readonly post: (text: string, more?: string) => string;
  readonly send: (text: string) => string;
}

const STEPS: Readonly<Record<ChaosRule['shape'], (texts: StepTexts) => readonly string[]>> = {
  card: ({ id, as, opened, message }) => [
    `then: [{ id: card, ${message(opened)} }]`,
    `while: [{ do: discord.edit, as: ${as}, with: { message: "\${{ steps.card.own.id }}", content: "${opened}" } }]`,
    `finally: [{ do: discord.edit, as: ${as}, with: { message: "\${{ steps.card.own.id }}", content: "closed ${id} ${ABOUT_ITEM}" } }]`,
  ],
  reply: ({ id, opened, post }) => [
    `then: [{ id: post, ${post(opened)} }]`,
    `finally: [{ ${post(`closed ${id} ${ABOUT_ITEM}`, 'replyTo: "${{ steps.post.own.id }}", ')} }]`,
  ],
  removal: ({ as, opened, post }) => [
    `then: [{ id: post, ${post(opened)} }]`,
    `finally: [{ do: social.deletePost, as: ${as}, with: { post: "\${{ steps.post.own.id }}" } }]`,
  ],
  title: ({ id, send }) => [`then: [{ ${send(`titled ${id} ${ABOUT_ITEM} \${{ item.title }}`)} }]`],
  slot: ({ id, send }) => [`then: [{ ${send(`ran ${id} \${{ string(now) }}`)} }]`],
};
