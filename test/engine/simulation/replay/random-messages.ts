import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { ReplayEvent } from '#src/engine/simulation/replay/replay-view.ts';
import type { Stage } from './replay-fixture.ts';

export async function deliveriesOf({ store }: Stage): Promise<readonly Delivery[]> {
  return (await store.deliveryLog.list({ rule: 'r', limit: 5_000 })).items;
}

/** For example `18:01:00 then discord.send discord {"content":"hi"}`, without ids and addresses, which differ each time. */
function formatSent(atMs: number, section: string, verb: string, account: string, text: string): string {
  return `${new Date(atMs).toISOString().slice(11, 19)} ${section} ${verb} ${account} ${text}`;
}

export async function hasWaiting(stage: Stage): Promise<boolean> {
  return (await deliveriesOf(stage)).some(({ state, since }) => state === 'pending' && !since);
}

export async function sentBy(stage: Stage): Promise<readonly string[]> {
  const all = (await deliveriesOf(stage)).filter(({ state, do: verb }) => state === 'sent' && verb !== 'discord.edit');
  const slots = await stage.store.deliveryLog.slotsMs(all.map(({ firing }) => firing));
  return all
    .map(({ firing, section, do: verb, account, params }) => {
      const text = params?.['content'] ?? params?.['text'];
      return formatSent(slots.get(firing) ?? 0, section, verb, account, typeof text === 'string' ? text : '');
    })
    .toSorted();
}

export function expectedIn(events: readonly ReplayEvent[]): readonly string[] {
  return events
    .filter(({ kind, do: verb }) => kind !== 'fewer' && verb !== 'discord.edit')
    .map(({ at, position, do: verb, account, expected = [] }) =>
      formatSent(at.getTime(), position.section, verb, account, expected.filter((line) => !line.startsWith('#')).join('\n')),
    )
    .toSorted();
}

/** Near its end, a replay waits for polls that may not be recorded yet. */
export function isSettled(line: string): boolean {
  return line < '18:09';
}
