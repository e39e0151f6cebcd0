import { expect, test } from 'vitest';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const ADA = { name: 'ada', via: 'discord', id: '7', origin: '42' } as const;
const OPERATOR = { name: 'root', via: 'cli' } as const;

/** The contract of the audit log. */
export function auditLogContract(open: OpenStore): void {
  test('actions are listed newest first, by page, target and name', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { auditLog } = store;
    await auditLog.start({ id: 'a', action: 'pauseRule', by: ADA, target: 'live' });
    await auditLog.end({ id: 'a', outcome: 'done', before: { live: null }, after: { live: { by: 'ada' } } });
    await auditLog.start({ id: 'b', action: 'resumeRule', by: OPERATOR, target: 'live' });
    await auditLog.start({ id: 'c', action: 'resumeRule', by: OPERATOR, target: 'top' });

    const first = await auditLog.list({ limit: 2 });
    const second = await auditLog.list({ limit: 2, cursor: first.cursor });
    const at = new Date(SLOT_MS);
    expect([...first.items, ...second.items]).toEqual([
      { id: 'c', at, action: 'resumeRule', by: OPERATOR, target: 'top', outcome: 'started' },
      { id: 'b', at, action: 'resumeRule', by: OPERATOR, target: 'live', outcome: 'started' },
      {
        id: 'a',
        at,
        action: 'pauseRule',
        by: ADA,
        target: 'live',
        outcome: 'done',
        before: { live: null },
        after: { live: { by: 'ada' } },
      },
    ]);
    expect(second.cursor).toBeUndefined();
    const ids = async (filter: object) => (await auditLog.list(filter)).items.map(({ id }) => id);
    expect([
      await ids({ target: 'live' }),
      await ids({ action: 'resumeRule' }),
      await ids({ target: 'live', action: 'resumeRule' }),
    ]).toEqual([['b', 'a'], ['c', 'b'], ['b']]);
  });
}
