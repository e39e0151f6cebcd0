// Mixes of rules over the same channels, and the requests that they need.

/** The channels of one request, by account. */
export const BATCH: Readonly<Record<string, number>> = { twitch: 100, kick: 50 };

/** The polls of one rule. */
export interface PollingRule {
  readonly id: string;
  readonly everyMinutes: number;
  readonly account: 'twitch' | 'kick';
  /** Absent: the rule polls the streams of `game`. */
  readonly users?: readonly string[];
  readonly game?: string;
}

/** Rules of one kind. */
export interface Mix {
  readonly name: string;
  readonly rulesOf: (channels: readonly string[]) => readonly PollingRule[];
}

const NAMES_OF_A_RULE = 50;
const INTERVALS = [1, 2, 5];
const GAMES = ['Chess', 'Tetris', 'Minecraft', 'Factorio', 'Celeste'];
const GAME_RULES = 10;

const twitch = (index: number, users: readonly string[], everyMinutes = 1): PollingRule => ({
  id: `names-${index}`,
  everyMinutes,
  account: 'twitch',
  users,
});

const inParts = (channels: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(channels.length / size) }, (_, index) => channels.slice(index * size, (index + 1) * size));

const disjoint = (channels: readonly string[], size = NAMES_OF_A_RULE): readonly PollingRule[] =>
  inParts(channels, size).map((users, index) => twitch(index, users));

/** The mixes of rules that communities have. */
export const MIXES: readonly Mix[] = [
  { name: 'a rule for each 1,000 channels', rulesOf: (channels) => disjoint(channels, 1_000) },
  { name: 'a rule for each 50 channels', rulesOf: (channels) => disjoint(channels) },
  {
    name: 'each channel in three rules, every 1, 2 and 5 minutes',
    rulesOf: (channels) =>
      INTERVALS.flatMap((everyMinutes, interval) => {
        // Each interval groups the channels in another way.
        const shifted = [...channels.slice(interval * 17), ...channels.slice(0, interval * 17)];
        const parts = inParts(shifted, NAMES_OF_A_RULE);
        return parts.map((users, index) => twitch(interval * parts.length + index, users, everyMinutes));
      }),
  },
  {
    name: 'a rule for each 50 channels, and ten rules over five games',
    rulesOf: (channels) => [
      ...disjoint(channels),
      ...Array.from({ length: GAME_RULES }, (_, index): PollingRule => {
        const game = GAMES[index % GAMES.length] ?? '';
        return { id: `game-${index}`, everyMinutes: 1, account: 'twitch', game };
      }),
    ],
  },
  {
    name: 'a rule for each 50 channels, half of them on Kick',
    rulesOf: (channels) => disjoint(channels).map((rule, index) => (index % 2 === 0 ? rule : { ...rule, account: 'kick' })),
  },
];

/** The text of a rule. */
export function textOf({ id, everyMinutes, account, users, game }: PollingRule): string {
  const query = users
    ? `watch: streaming.getStreams, with: { users: [${users.join(', ')}] }`
    : `watch: streaming.getGameStreams, with: { game: ${game} }`;
  return `id: ${id}
when: { every: ${everyMinutes}m, account: ${account}, ${query} }
fuse: { firings: 100000, per: 1h }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.owner.handle }} is live" } }
`;
}

const dueAt = (rules: readonly PollingRule[], minute: number): readonly PollingRule[] =>
  rules.filter(({ everyMinutes }) => minute % everyMinutes === 0);

/** The fewest requests that show each rule its channels and games at each of its slots. */
export function fewestRequests(rules: readonly PollingRule[], minutes: number): number {
  let requests = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const byAccount = Map.groupBy(dueAt(rules, minute), ({ account }) => account);
    for (const [account, due] of byAccount) {
      const names = new Set(due.flatMap(({ users = [] }) => users));
      const games = new Set(due.flatMap(({ game }) => game ?? []));
      requests += Math.ceil(names.size / (BATCH[account] ?? 1)) + games.size;
    }
  }
  return requests;
}

/** The requests of a program in which each rule polls alone. */
export function requestsWithoutMerging(rules: readonly PollingRule[], minutes: number): number {
  let requests = 0;
  for (let minute = 0; minute < minutes; minute++) {
    for (const { users, account } of dueAt(rules, minute)) requests += users ? Math.ceil(users.length / (BATCH[account] ?? 1)) : 1;
  }
  return requests;
}
