import { madeAtMs, toTimestamp } from '../snowflake.ts';
import type { Channel } from './channel.ts';
import type { Channels } from './channels.ts';

const MICROSECONDS = 1000n;

/** An archived or reopened thread. No two threads of a guild share an instant. */
export function archiving(channels: Channels, channel: Channel, archived: boolean, nowMs: number): Channel {
  const { thread } = channel;
  if (!thread || thread.archived === archived) return channel;
  const taken = new Set(channels.all().map((each) => each.thread?.archiveChangedAt));
  let at = BigInt(nowMs) * MICROSECONDS;
  while (taken.has(written(at))) at += 1n;
  return { ...channel, thread: { ...thread, archived, archiveChangedAt: written(at) } };
}

/** A page of the archived threads of a channel, most recently archived first, and whether more follow. `before` is exclusive. */
export function archivedIn(
  channels: Channels,
  parentId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): readonly [readonly Channel[], boolean] {
  const end = before === undefined ? undefined : microsecondsOf(before);
  const archived = channels
    .all()
    .flatMap((channel) => {
      const { thread } = channel;
      return thread?.archived && thread.parentId === parentId ? [{ channel, at: microsecondsOf(archiveChangedAt(channel)) }] : [];
    })
    .filter(({ at }) => end === undefined || at < end)
    .toSorted((a, b) => (a.at > b.at ? -1 : 1));
  return [archived.slice(0, limit).map(({ channel }) => channel), archived.length > limit];
}

/** The time of the last archiving or reopening, or of the creation, in Discord's format. */
export function archiveChangedAt({ id, thread }: Channel): string {
  return thread?.archiveChangedAt ?? toTimestamp(madeAtMs(id));
}

/** Reads an ISO time whose fraction can have six digits. */
function microsecondsOf(text: string): bigint {
  const [, beyond = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
  return BigInt(Date.parse(text)) * MICROSECONDS + BigInt(beyond.padEnd(3, '0'));
}

function written(microseconds: bigint): string {
  const beyond = String(microseconds % MICROSECONDS).padStart(3, '0');
  return toTimestamp(Number(microseconds / MICROSECONDS)).replace('000+00:00', `${beyond}+00:00`);
}
