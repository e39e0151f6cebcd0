import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog, Latest } from '#src/engine/delivery/delivery-log.ts';
import type { EpisodeLog, LoggedEpisode } from '#src/rules/episode-log.ts';
import { firedItem, gameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { StatusView } from './status-answer.ts';

type LiveStream = NonNullable<StatusView['live']>[number];

/** The number of the last deliveries in which announcements are searched. */
const SEARCHED = 200;
/** The announcements that are shown of one stream. */
const ANNOUNCEMENTS = 6;

interface LiveStreamsOptions {
  readonly deliveryLog: Pick<DeliveryLog, 'latest'>;
  readonly episodes: Pick<EpisodeLog, 'open'>;
  readonly limit: number;
}

/** The streams that are live now, among the items of the last deliveries. Several rules can announce one stream. */
export async function liveStreams({ deliveryLog, episodes, limit }: LiveStreamsOptions): Promise<readonly LiveStream[]> {
  // The edits of one card count as one, because a card of a long stream has thousands.
  const deliveries = await deliveryLog.latest({ states: ['sent'], limit: SEARCHED });
  const byEpisode = Map.groupBy(
    deliveries.filter(({ delivery: { item } }) => item !== undefined),
    ({ delivery: { rule, episode } }) => keyOf(rule, episode),
  );
  const first = [...byEpisode.values()].flatMap(([one]) => one?.delivery ?? []);
  const open = await episodes.open(first.map(({ rule, episode }) => ({ rule, id: episode })));
  const streams = Map.groupBy(open.filter(isStream), ({ key }) => key);
  return [...streams.values()]
    .flatMap((all) => toLiveStream(all, (episode) => byEpisode.get(keyOf(episode.rule, episode.id)) ?? []))
    .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
    .slice(0, limit);
}

/** The ids of those deliveries that are about a stream that is over. */
export async function aboutEndedStreams(
  deliveries: readonly Pick<Delivery, 'id' | 'rule' | 'episode'>[],
  episodes: Pick<EpisodeLog, 'open' | 'items'>,
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set();
  const wanted = deliveries.map(({ rule, episode }) => ({ rule, id: episode }));
  const [open, all] = await Promise.all([episodes.open(wanted), episodes.items(wanted)]);
  const ended = new Set(all.filter(isStream).map(({ rule, id }) => keyOf(rule, id)));
  for (const { rule, id } of open) ended.delete(keyOf(rule, id));
  return new Set(deliveries.filter(({ rule, episode }) => ended.has(keyOf(rule, episode))).map(({ id }) => id));
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Whether the item of an episode is a live stream, and not a post, a game or a clip. */
function isStream({ item }: Pick<LoggedEpisode, 'item'>): boolean {
  return typeof item['viewerCount'] === 'number' && typeof item['startedAt'] === 'string' && isJsonObject(item['owner']);
}

/** One stream of the episodes that rules have of it. */
function toLiveStream(episodes: readonly LoggedEpisode[], latestOf: (episode: LoggedEpisode) => readonly Latest[]): readonly LiveStream[] {
  const [newest] = episodes.toSorted((a, b) => b.startedMs + b.lengthMs - a.startedMs - a.lengthMs);
  if (!newest) return [];
  const { item } = newest;
  const announcements = announcementsOf(episodes.flatMap(latestOf));
  return [
    {
      ...firedItem(newest),
      url: textIn(item, 'url'),
      title: textIn(item, 'title'),
      game: gameOf(item),
      viewers: typeof item['viewerCount'] === 'number' ? item['viewerCount'] : undefined,
      startedAt: new Date(newest.startedMs),
      announcements,
    },
  ];
}

/** What was sent, newest first. A message and its edits are one announcement. */
function announcementsOf(deliveries: readonly Latest[]): LiveStream['announcements'] {
  const sent = deliveries
    .flatMap(({ delivery, times }) => (delivery.sentAt ? [{ delivery, times, at: delivery.sentAt }] : []))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const byRecord = Map.groupBy(sent, ({ delivery: { id, account, result } }) => keyOf(account, textIn(result, 'url') ?? id));
  return [...byRecord.values()].slice(0, ANNOUNCEMENTS).flatMap((all) => {
    const [newest, first] = [all[0], all.at(-1)];
    if (!newest || !first) return [];
    const { id, rule, do: verb, account, result } = first.delivery;
    const changes = all.reduce((sum, { times }) => sum + times, -1);
    return [{ delivery: id, rule, do: verb, account, url: textIn(result, 'url'), at: newest.at, changes }];
  });
}

function textIn(record: Json | undefined, field: string): string | undefined {
  const value = record !== undefined && isJsonObject(record) ? record[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
