import type { DecisionView, DeliveryView, RuleView } from '#src/admin/queries/records.ts';
import type { SettledDecision } from '#src/admin/queries/settled-decisions.ts';
import type { EpisodePhases } from '#src/rules/episode-log.ts';
import type { RuleDetails } from '#src/admin/queries/rule-details.ts';
import type { Message } from '#src/clients/chat/records.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { Stream } from '#src/clients/streaming/records.ts';

/** The present instant of the records below. */
export const NOW = new Date('2026-11-20T18:00:00Z');

export function minutesAgo(minutes: number): Date {
  return new Date(NOW.getTime() - minutes * 60_000);
}

export function person(displayName: string, platform = 'twitch'): Person {
  const handle = displayName.toLowerCase().replaceAll(/\W/g, '');
  return { platform, id: `id-${handle}`, url: `https://example.test/${handle}`, handle, displayName };
}

export function stream(id: string, changes: Partial<Stream> = {}): Stream {
  const owner = person('Ada');
  return {
    platform: 'twitch',
    id,
    url: owner.url,
    owner,
    game: { platform: 'twitch', id: '516575', name: 'VALORANT' },
    title: 'Ranked until midnight',
    viewerCount: 12_345,
    startedAt: minutesAgo(95),
    tags: [],
    fetchedAt: NOW,
    ...changes,
  };
}

export function post(id: string, changes: Partial<Post> = {}): Post {
  return {
    platform: 'sandbox',
    id,
    url: `https://example.test/posts/${id}`,
    author: person('Fanfare', 'sandbox'),
    text: 'Ada is now #2 in VALORANT with 12.3K viewers https://example.test/ada',
    entities: [],
    media: [],
    replyAudience: 'everyone',
    createdAt: minutesAgo(3),
    visibility: 'public',
    counts: { likes: 0, reposts: 0, replies: 0, quotes: 0 },
    fetchedAt: NOW,
    ...changes,
  };
}

export function message(id: string, changes: Partial<Message> = {}): Message {
  return {
    platform: 'discord',
    id: `1/${id}`,
    channel: { id: '1', name: 'stream-news' },
    author: { ...person('Fanfare', 'discord'), self: true },
    content: 'New in the top five: **Ada**',
    embeds: [],
    files: [],
    buttons: [],
    reactions: [],
    createdAt: minutesAgo(3),
    fetchedAt: NOW,
    ...changes,
  };
}

export function decision(changes: Partial<DecisionView> = {}): DecisionView {
  return { rule: 'valorant-top', at: minutesAgo(1), outcome: 'unchanged', message: '5 streams, nobody entered.', ...changes };
}

/** The decision as a rule has it. */
export function settledDecision({
  at = minutesAgo(1),
  ...changes
}: Partial<SettledDecision> & { readonly at?: Date } = {}): SettledDecision {
  return { rule: 'valorant-top', atMs: at.getTime(), outcome: 'unchanged', message: '5 streams, nobody entered.', ...changes };
}

export function rule(id: string, changes: Partial<RuleView> = {}): RuleView {
  return {
    id,
    about: 'Announces streams that enter the top five of VALORANT.',
    file: `rules/${id}.yaml`,
    enabled: true,
    on: true,
    schedule: 'every 10s',
    nextRunAt: new Date(NOW.getTime() + 8000),
    lastDecision: settledDecision({ rule: id }),
    diagnostics: [],
    ...changes,
  };
}

export function delivery(id: string, changes: Partial<DeliveryView> = {}): DeliveryView {
  return {
    id,
    rule: 'valorant-top',
    episode: 'ada@1763661600000',
    step: 'post',
    do: 'social.createPost',
    account: 'sandbox',
    state: 'sent',
    attempts: 1,
    createdAt: minutesAgo(3),
    sentAt: minutesAgo(3),
    result: { id: 'p1', url: 'https://example.test/posts/p1' },
    ...changes,
  };
}

export function ruleDetails(rule: string, changes: Partial<RuleDetails> = {}): RuleDetails {
  return {
    rule,
    source: `id: ${rule}\n`,
    timezone: 'Europe/Berlin',
    nextRuns: [new Date(NOW.getTime() + 8000)],
    watches: { operation: 'streaming.getTopStreams', accounts: ['twitch'], changes: ['entered'] },
    polling: {
      notifications: 'none',
      everyMs: 10_000,
      pollsEveryMs: 10_000,
      why: 'every',
      waitsMs: 0,
      longestDelayMs: 10_000,
      requestsPerHour: 360,
      accounts: [{ account: 'twitch', unit: 'requests', requestsPerHour: 360, allPerHour: 420, allowedPerHour: 38_400 }],
    },
    steps: [
      { section: 'then', do: 'discord.send', accounts: ['discord'], channel: 'live' },
      { section: 'while', do: 'discord.edit', accounts: ['discord'], everyMs: 60_000 },
    ],
    ...changes,
  };
}

const MINUTE_MS = 60_000;

/** An open, announced episode. */
export function episode(id: string, changes: Partial<EpisodePhases> = {}): EpisodePhases {
  const firstSeenMs = NOW.getTime() - 90 * MINUTE_MS;
  return {
    id,
    key: `twitch/${id}`,
    item: { owner: { displayName: 'Ada' } },
    phase: 'open',
    firstSeenMs,
    startedMs: firstSeenMs - MINUTE_MS,
    openedMs: firstSeenMs + 2 * MINUTE_MS,
    lastSeenMs: NOW.getTime(),
    announced: true,
    ...changes,
  };
}
