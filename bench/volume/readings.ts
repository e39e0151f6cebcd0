import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { NOTE_SETTLED } from '#src/store/sqlite/schema.ts';
import { FIRST_MS, manyDeliveries } from '../../test/support/many-deliveries.ts';

const DELIVERIES = 200_000;
const DAY_MS = 86_400_000;
const STREAMERS = 20;
const DAYS = 365;
/** After so many days, only the values for totals are kept of an episode. */
const WHOLE_DAYS = 30;

/** The instant of the readings, after the newest delivery. */
export const NOW_MS = FIRST_MS + DELIVERIES * 1_000 + 1_000;

interface Reading {
  readonly verb: string;
  readonly params: JsonObject;
  /** The number of records of the answer. */
  readonly items: number;
}

/** What steps read, by name. */
export const READINGS: Readonly<Record<string, Reading>> = {
  totals: { verb: 'history.getTotals', params: { rule: 'live', since: `${DAYS}d`, timezone: 'Europe/Paris' }, items: DAYS },
  fewDeliveries: { verb: 'history.getDeliveries', params: { rule: 'big', key: 'twitch/4' }, items: 67 },
  mostDeliveries: { verb: 'history.getDeliveries', params: { rule: 'big', key: 'twitch/big' }, items: 1_000 },
};

/** Writes the deliveries, and a year of streams of each streamer. */
export function writeHistory(file: string): void {
  openDatabase(file).close();
  using database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; begin');
  for (const statement of [...manyDeliveries(DELIVERIES), NOTE_SETTLED]) database.exec(statement);
  database.exec("insert into rule_state (rule, slot_ms, memory) select distinct rule, 0, '{}' from delivery");
  const total = database.prepare('insert into episode_total (rule, id, started_ms, ended_ms, peak, average) values (?, ?, ?, ?, ?, ?)');
  const whole = database.prepare('insert into past_episode (rule, id, started_ms, closed_ms, body) values (?, ?, ?, ?, ?)');
  for (let day = DAYS - 1; day >= 0; day--) {
    for (let streamer = 0; streamer < STREAMERS; streamer++) {
      const startedMs = NOW_MS - day * DAY_MS - (6 + streamer / 10) * 3_600_000;
      const [id, endedMs] = [`streamer-${streamer}@${startedMs}`, startedMs + 3 * 3_600_000];
      const [peak, average] = [{ viewerCount: 500 + streamer }, { viewerCount: 300.5 + streamer }];
      if (day >= WHOLE_DAYS) total.run('live', id, startedMs, endedMs, JSON.stringify(peak), JSON.stringify(average));
      else whole.run('live', id, startedMs, endedMs, JSON.stringify(episodeOf({ id, startedMs, endedMs, peak })));
    }
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
}

function episodeOf({
  id,
  startedMs,
  endedMs,
  peak,
}: {
  readonly id: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly peak: JsonObject;
}): JsonObject {
  const [handle = ''] = id.split('@');
  return {
    id,
    key: `twitch/${handle}`,
    itemId: `4${startedMs}`,
    phase: 'closed',
    item: {
      platform: 'twitch',
      id: `4${startedMs}`,
      url: `https://www.twitch.tv/${handle}`,
      owner: { platform: 'twitch', id: handle, url: `https://www.twitch.tv/${handle}`, handle, displayName: handle.toUpperCase() },
      game: { platform: 'twitch', id: '743', url: 'https://www.twitch.tv/directory/category/chess', name: 'Chess' },
      title: `Ranked with ${handle} until I win`,
      viewerCount: 250,
      startedAt: new Date(startedMs).toISOString(),
      language: 'en',
      tags: ['English'],
      mature: false,
      thumbnailUrl: `https://static-cdn.example/previews/live_user_${handle}-1280x720.jpg`,
    },
    firstSeenMs: startedMs,
    startedMs,
    lastSeenMs: endedMs,
    hits: 1,
    misses: 2,
    openedMs: startedMs,
    closedMs: endedMs,
    polls: 180,
    peak,
    totals: { viewerCount: { sum: 54_000, count: 180 } },
    announcedBy: `firing-${id}`,
  };
}
