import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';

const SHARED_GAMES = 50;
const CHANNELS = 5_000;
/** One of this many lists has a new item at a poll. */
const CHURN = 3;

/** The games and the people that rules watch. */
export interface WorldNames {
  readonly games: readonly string[];
  readonly people: readonly string[];
}

/** Names of people that only this world has. */
const PEOPLE = Array.from({ length: CHANNELS }, (_, index) => `person${index}`);

/**
 * A rule by its index: three quarters of the rules watch a game, the others watch users. One of fifty has a card.
 *
 * Without `names`, every fourth rule is the only one that watches its game.
 */
export function ruleSource(index: number, names?: WorldNames): string {
  const least = 500 + (index % 40) * 50;
  if (index % 50 === 3) return cardSource(index, names?.people);
  if (index % 4 === 3) return peopleSource(index, { people: names?.people, least });
  const game = names ? names.games[index % names.games.length] : index % 4 === 2 ? `own-${index}` : `shared-${index % SHARED_GAMES}`;
  return gameSource(index, { game: game ?? '', least });
}

function gameSource(index: number, { game, least }: { readonly game: string; readonly least: number }): string {
  return `
id: top-${index}
when:
  every: 5m
  watch: streaming.getGameStreams
  with: { game: "${game}" }
  where: item.viewerCount >= ${least} && item.language in ["en", "de"]
  take: 5
  changes: [entered]
  settle: 5m
if: item.rank <= 4 && !item.title.contains("rerun")
cooldown: 6h
then:
  - id: post
    do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is #\${{ item.rank }} in ${game.replaceAll('"', '')} with \${{ compact(item.viewerCount) }} viewers \${{ item.url }}" }
  - do: discord.send
    with: { channel: news, content: "New in the top five: \${{ item.owner.displayName }} \${{ steps.post.url }}" }
`;
}

function peopleSource(
  index: number,
  { people, least }: { readonly people: readonly string[] | undefined; readonly least: number },
): string {
  return `
id: people-${index}
when:
  every: 5m
  watch: streaming.getStreams
  with: { users: [${peopleOf(index, people).join(', ')}] }
  grace: 15m
if: item.viewerCount >= ${least} && item.language == "en"
cooldown: 1h
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} is live: \${{ plain(item.title) }} \${{ item.url }}" }
`;
}

function cardSource(index: number, people: readonly string[] | undefined): string {
  return `
id: card-${index}
when:
  every: 5m
  watch: streaming.getStreams
  with: { users: [${peopleOf(index, people).join(', ')}] }
  grace: 15m
then:
  - id: card
    do: discord.send
    with: { channel: live, embed: { title: "\${{ item.title }}", url: "\${{ item.url }}", image: "\${{ item.thumbnailUrl }}" } }
while:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}", footer: "\${{ compact(item.viewerCount) }} watching" } }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}", footer: "was live for \${{ duration(episode.lengthMs) }}" } }
`;
}

function peopleOf(index: number, people: readonly string[] = PEOPLE): readonly string[] {
  return Array.from({ length: 20 }, (_, place) => people[(index * 7 + place * 131) % people.length] ?? '');
}

/** The response to a query at a slot. It is deterministic. */
export function answerTo({ verb, params }: Query, slot: number): PollResult {
  const { users, game } = params;
  const items = verb === 'streaming.getStreams' ? livePeople(users, slot) : gameList(typeof game === 'string' ? game : '', slot);
  return { items, approximate: false, partialErrors: [] };
}

/** A third of the users is live, each for two hours. */
function livePeople(users: unknown, slot: number): readonly JsonObject[] {
  const names = Array.isArray(users) ? users.filter((user) => typeof user === 'string') : [];
  return names.flatMap((name) => {
    const shift = slot + hash(name);
    return shift % 72 < 24 ? [stream(name, { broadcast: Math.floor(shift / 72), viewers: 100 + (hash(name) % 3_000), slot })] : [];
  });
}

/** 20 to 100 streams with changing viewer counts. Sometimes a new one appears. */
export function gameList(game: string, slot: number): readonly JsonObject[] {
  const seed = hash(game);
  const length = game.startsWith('shared') ? 100 : 20 + (seed % 41);
  return Array.from({ length }, (_, place) => {
    const round = Math.floor((slot + seed + place * CHURN) / (CHURN * length));
    return stream(`${game}-${place}-${round}`, { broadcast: round, viewers: Math.floor(20_000 / (place + 1)) + 100, slot });
  });
}

function stream(
  name: string,
  { broadcast, viewers, slot }: { readonly broadcast: number; readonly viewers: number; readonly slot: number },
): JsonObject {
  const seed = hash(name);
  const url = `https://www.twitch.tv/${name}`;
  return {
    platform: 'twitch',
    id: String(40_000_000_000 + ((seed * 31 + broadcast) % 1_000_000_007)),
    url,
    owner: { platform: 'twitch', id: String(seed), url, handle: name, displayName: name.toUpperCase() },
    game: { platform: 'twitch', id: String(seed % 500), url: 'https://www.twitch.tv/directory/category/chess', name: 'Chess' },
    title: seed % 10 === 0 ? `rerun: the best of ${name}` : `Ranked with ${name} until I win !discord !socials`,
    viewerCount: viewers + ((seed + slot * 7) % 20),
    startedAt: '2026-11-20T17:00:00.000Z',
    language: ['en', 'de', 'fr'][seed % 3] ?? 'en',
    tags: ['English', 'chill', 'nobackseating'],
    mature: false,
    thumbnailUrl: `https://static-cdn.example/previews/live_user_${name}-1280x720.jpg?t=${slot}`,
    thumbnailTemplate: `https://static-cdn.example/previews/live_user_${name}-{width}x{height}.jpg`,
    fetchedAt: '2026-11-20T18:00:00.000Z',
  };
}

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) % 1_000_003;
  return value;
}
