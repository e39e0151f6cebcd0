import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { EpisodeLog, LoggedEpisode } from '#src/rules/episode-log.ts';
import { firedItem, gameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { StatusView } from './status-answer.ts';

type LiveStream = NonNullable<StatusView['live']>[number];

/** The number of the last deliveries in which announcements are searched. */
const SEARCHED = 200;
/** The announcements that are shown of one stream. */
const ANNOUNCEMENTS = 6;

interface LiveStreamsOptions {
  readonly deliveryLog: Pick<DeliveryLog, 'list'>;
  readonly episodes: Pick<EpisodeLog, 'open'>;
  readonly limit: number;
}

/** The streams that are live now, among the items of the last deliveries. Several rules can announce one stream. */
export async function liveStreams({ deliveryLog, episodes, limit }: LiveStreamsOptions): Promise<readonly LiveStream[]> {
  const { items: deliveries } = await deliveryLog.list({ state: 'sent', limit: SEARCHED });
  const byEpisode = Map.groupBy(
    deliveries.filter(({ item, sentAt }) => item !== undefined && sentAt !== undefined),
    ({ rule, episode }) => keyOf(rule, episode),
  );
  const first = [...byEpisode.values()].flatMap(([one]) => one ?? []);
  const open = await episodes.open(first.map(({ rule, episode }) => ({ rule, id: episode })));
  const streams = Map.groupBy(open.filter(isStream), ({ key }) => key);
  return [...streams.values()]
    .flatMap((all) => toLiveStream(all, (episode) => byEpisode.get(keyOf(episode.rule, episode.id)) ?? []))
    .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
    .slice(0, limit);
}

function keyOf(rule: string, episode: string): string {
  return JSON.stringify([rule, episode]);
}

/** Whether the item of an episode is a live stream, and not a post, a game or a clip. */
function isStream({ item }: LoggedEpisode): boolean {
  return typeof item['viewerCount'] === 'number' && typeof item['startedAt'] === 'string' && isJsonObject(item['owner']);
}

/** One stream of the episodes that rules have of it. */
function toLiveStream(
  episodes: readonly LoggedEpisode[],
  deliveriesOf: (episode: LoggedEpisode) => readonly Delivery[],
): readonly LiveStream[] {
  const [newest] = episodes.toSorted((a, b) => b.startedMs + b.lengthMs - a.startedMs - a.lengthMs);
  if (!newest) return [];
  const { item } = newest;
  const announcements = episodes
    .flatMap(deliveriesOf)
    .flatMap((delivery) => (delivery.sentAt ? [{ delivery, at: delivery.sentAt }] : []))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, ANNOUNCEMENTS)
    .map(({ delivery: { id, rule, do: verb, account, result }, at }) => ({
      delivery: id,
      rule,
      do: verb,
      account,
      url: textIn(result, 'url'),
      at,
    }));
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

function textIn(record: Json | undefined, field: string): string | undefined {
  const value = record !== undefined && isJsonObject(record) ? record[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
