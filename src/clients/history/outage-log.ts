import type { Outage } from './records.ts';

/** A stored outage: an account that cannot be read, or cannot be written. */
export interface LoggedOutage {
  readonly account: string;
  readonly access: 'read' | 'write';
  readonly sinceMs: number;
  readonly fault: Outage['fault'];
  readonly problem: string;
}

/** The stored outages. */
export interface OutageLog {
  /** The oldest first. */
  all(): Promise<readonly LoggedOutage[]>;
}

/** One record for each account. The first failure has the reason. */
export function toOutages(logged: readonly LoggedOutage[]): readonly Outage[] {
  return [...Map.groupBy(logged, ({ account }) => account)].flatMap(([account, its]) => {
    const [first] = its;
    return first
      ? [
          {
            id: account,
            account,
            reads: its.every(({ access }) => access !== 'read'),
            writes: its.every(({ access }) => access !== 'write'),
            fault: first.fault,
            reason: first.problem,
            startedAt: new Date(first.sinceMs),
          },
        ]
      : [];
  });
}
