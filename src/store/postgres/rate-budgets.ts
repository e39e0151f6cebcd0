import { CompiledQuery, type Kysely } from 'kysely';
import { ASSUMED_WINDOW_MS, RESET_PRECISION_MS, type Charge, type Notice, type Pass, type RateBudgets } from '#src/http/rate-budgets.ts';
import type { Tables } from '../tables.ts';

/**
 * A request ends within this time. Points that were taken in an earlier period and never settled belong to a process that ended, and
 * count no longer.
 */
const PERIOD_MS = 5 * 60_000;

/** The instant of the database, after the statement has its locks. */
const NOW_MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::float8';

/** If the database crashes, it forgets the points of the last moments. Waiting for the disk would cost more than a refused request. */
const ASYNCHRONOUS = "set_config('synchronous_commit', 'off', true) as synchronous_commit";

/** Creates the rows of new budgets. */
const OPEN = `insert into rate_budget (account, budget) select $1, unnest($2::text[]) on conflict do nothing`;

/**
 * Takes points from all budgets or from none. The locks of the budgets also protect their windows. A window that another statement
 * created while this one waited for a lock is not visible, so the statement then changes nothing and asks for a repeat.
 */
const TAKE = `-- take_points
with charge as (
  select * from unnest($2::text[], $4::float8[], $5::float8[]) as charge (budget, point_ms, burst)
), locked as materialized (
  select b.*, charge.point_ms, charge.burst from rate_budget b join charge using (budget) where b.account = $1 order by b.budget for update of b
), clock as materialized (
  select ${ASYNCHRONOUS}, ${NOW_MS} as ms, count(*) as found, sum(windows) as windows from locked
), used as materialized (
  select locked.*, current_period,
    case when period >= current_period then in_flight else 0 end as recent,
    case when period >= current_period then in_flight_before when period = current_period - 1 then in_flight else 0 end as earlier
  from locked, (select floor(ms / ${PERIOD_MS}) as current_period from clock) as clock
), open as materialized (
  select w.budget, w.family, w.limit_points, w.until_ms <= clock.ms as is_over,
    case when w.until_ms <= clock.ms then w.limit_points else w.rest end - used.recent - used.earlier as remaining,
    case when w.until_ms <= clock.ms then clock.ms + ${ASSUMED_WINDOW_MS} else w.until_ms end as until_ms
  from clock, used join rate_window w on w.account = $1 and w.budget = used.budget for update of w
), free as (
  select paused_until_ms as at_ms from used
  union all select full_at_ms - (burst - $3) * point_ms from used where point_ms is not null
  union all select until_ms from open where remaining < least($3, limit_points) or remaining <= 0
), answer as materialized (
  select ms, found = cardinality($2) as is_open, windows = (select count(*) from open) as is_complete, ceil(greatest(0, (select max(at_ms) from free) - ms)) as wait_ms
  from clock
), taken as (
  update rate_budget b set
    period = greatest(used.period, used.current_period),
    in_flight = used.recent + $3,
    in_flight_before = used.earlier,
    full_at_ms = case when used.point_ms is null then used.full_at_ms else greatest(used.full_at_ms, answer.ms) + $3 * used.point_ms end
  from used, answer
  where answer.is_open and answer.is_complete and answer.wait_ms = 0 and b.account = $1 and b.budget = used.budget
), renewed as (
  update rate_window w set rest = w.limit_points, stated = null, until_ms = open.until_ms
  from open, answer
  where answer.is_open and answer.is_complete and answer.wait_ms = 0 and open.is_over
    and w.account = $1 and w.budget = open.budget and w.family = open.family
)
select answer.is_open, answer.is_complete, answer.wait_ms, used.current_period as period, used.unstated
from answer left join used on used.budget = ($2::text[])[1]`;

/** Ends a request. The response describes the first budget. */
const SETTLE = `-- settle_points
with stated as (
  select * from unnest($7::text[], $8::float8[], $9::float8[], $10::float8[]) as stated (family, limit_points, remaining, until_ms)
), locked as materialized (
  select * from rate_budget where account = $1 and budget = any($2::text[]) order by budget for update
), clock as materialized (
  select ${ASYNCHRONOUS}, ${NOW_MS} as ms, sum(windows) as windows from locked
), open as materialized (
  select w.budget, w.family from clock, locked join rate_window w on w.account = $1 and w.budget = locked.budget for update of w
), answer as materialized (
  select ms, windows = (select count(*) from open) as is_complete from clock
), released as (
  update rate_budget b set
    in_flight = greatest(0, locked.in_flight - case when locked.period = $4 then $3 else 0 end),
    in_flight_before = greatest(0, locked.in_flight_before - case when locked.period = $4 + 1 then $3 else 0 end),
    unstated = locked.unstated + case when is_first and exists (select from stated) then 0 else $3 end,
    paused_until_ms = greatest(locked.paused_until_ms, case when is_first then $6::float8 else 0 end),
    windows = locked.windows + case when is_first then (select count(*) from stated where family not in (select family from open where budget = locked.budget)) else 0 end
  from (select *, budget = ($2::text[])[1] as is_first from locked) as locked, answer
  where answer.is_complete and b.account = $1 and b.budget = locked.budget
), spent as (
  update rate_window w set rest = w.rest - $3
  from open, answer
  where answer.is_complete and w.account = $1 and w.budget = open.budget and w.family = open.family
    and (w.budget <> ($2::text[])[1] or w.family not in (select family from stated))
), learned as (
  insert into rate_window as w (account, budget, family, limit_points, rest, stated, until_ms)
  select $1, locked.budget, stated.family, stated.limit_points, stated.remaining - (locked.unstated - $5), stated.remaining, stated.until_ms
  from stated, answer, locked
  where answer.is_complete and locked.budget = ($2::text[])[1]
  on conflict (account, budget, family) do update set
    limit_points = excluded.limit_points, rest = excluded.rest, stated = excluded.stated, until_ms = excluded.until_ms
  where w.stated is null or w.until_ms <= (select ms from answer)
    or excluded.until_ms > w.until_ms + ${RESET_PRECISION_MS} or excluded.stated < w.stated
)
select is_complete from answer`;

interface Taken {
  readonly is_open: boolean;
  readonly is_complete: boolean;
  readonly wait_ms: number;
  readonly period: number;
  readonly unstated: number;
}

/** Creates the budgets of an account that all processes on one database share, by the clock of the database. */
export function createRateBudgets(db: Kysely<Tables>, account: string): RateBudgets {
  /** Settlements under way. A request waits for those that this process began before it. */
  const settling = new Set<Promise<void>>();

  async function run<R>(text: string, parameters: readonly unknown[]): Promise<R | undefined> {
    const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, [...parameters]) as CompiledQuery<R>); // the caller knows the rows of its text
    return rows[0];
  }

  async function record({ budgets, points, period = 0, unstated }: Pass, { rates = [], pauseUntil }: Notice): Promise<void> {
    const stated = rates.filter(({ remaining, resetAtMs }) => remaining !== undefined && resetAtMs !== undefined);
    const parameters = [
      account,
      budgets,
      points,
      period,
      unstated,
      pauseUntil?.getTime() ?? 0,
      stated.map(({ family }) => family),
      stated.map(({ limit = Infinity }) => limit),
      stated.map(({ remaining }) => remaining),
      stated.map(({ resetAtMs }) => resetAtMs),
    ];
    for (;;) {
      const answer = await run<{ readonly is_complete: boolean | null }>(SETTLE, parameters);
      if (answer?.is_complete !== false) return;
    }
  }

  return {
    async take(charge) {
      await Promise.all(settling);
      const { budgets, points } = charge;
      for (;;) {
        const taken = await run<Taken>(TAKE, [account, budgets, points, ...pacesOf(charge)]);
        if (!taken?.is_open) await run(OPEN, [account, budgets]);
        else if (taken.is_complete) {
          const { wait_ms: waitMs, period, unstated } = taken;
          return waitMs > 0 ? { waitMs } : { ...charge, period, unstated };
        }
      }
    },

    settle(pass, notice) {
      // The points of a settlement that fails count until their period is over.
      const settled = record(pass, notice).catch(() => undefined);
      settling.add(settled);
      void settled.then(() => settling.delete(settled));
    },
  };
}

/** The time of a point and the burst, for each budget. */
function pacesOf({ budgets, pace }: Charge): readonly (readonly (number | undefined)[])[] {
  const ofFirst = (value: number | undefined) => budgets.map((_, index) => (index === 0 ? value : undefined));
  return [ofFirst(pace && 1000 / pace.perSecond), ofFirst(pace?.burst)];
}
