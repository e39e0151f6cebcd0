import { sql, type Kysely } from 'kysely';
import { ASSUMED_WINDOW_MS, RESET_PRECISION_MS, type Charge, type Notice, type Pass, type RateBudgets } from '#src/http/rate-budgets.ts';
import { prepared } from '../prepared.ts';
import type { Tables } from '../tables.ts';

/**
 * A request ends within this time. Points that were taken in an earlier period and never settled belong to a process that ended, and
 * count no longer.
 */
const PERIOD_MS = 5 * 60_000;

/** The instant of the database, after the statement has its locks. */
const NOW_MS = sql`floor(extract(epoch from clock_timestamp()) * 1000)::float8`;

/** If the database crashes, it forgets the points of the last moments. Waiting for the disk would cost more than a refused request. */
const ASYNCHRONOUS = sql`set_config('synchronous_commit', 'off', true) as synchronous_commit`;

/** Creates the rows of new budgets. */
const openBudgets = prepared(
  (_, { account, budgets }: BudgetValues) =>
    sql`insert into rate_budget (account, budget) select ${account}::text, unnest(${budgets}::text[]) on conflict do nothing`,
);

interface BudgetValues {
  readonly account: string;
  readonly budgets: readonly string[];
}

type Numbers = readonly (number | undefined)[];

const float = (value: number) => sql`${value}::float8`;
const floats = (values: Numbers) => sql`${values}::float8[]`;

/** The values with their types: PostgreSQL derives the type of each place of a value. */
function typed({ account, budgets, points }: BudgetValues & { readonly points: number }) {
  return { account: sql`${account}::text`, budgets: sql`${budgets}::text[]`, points: float(points) };
}

interface Taken {
  readonly is_open: boolean;
  readonly is_complete: boolean;
  readonly wait_ms: number;
  readonly period: number;
  readonly unstated: number;
}

/**
 * Takes points from all budgets or from none. The locks of the budgets also protect their windows. A window that another statement
 * created while this one waited for a lock is not visible, so the statement then changes nothing and asks for a repeat.
 */
const takePoints = prepared(
  (_, values: BudgetValues & { readonly points: number; readonly msPerPoint: Numbers; readonly bursts: Numbers }) => {
    const { account, budgets, points } = typed(values);
    const [msPerPoint, bursts] = [floats(values.msPerPoint), floats(values.bursts)];
    return sql<Taken>`
    with charge as (
      select * from unnest(${budgets}, ${msPerPoint}, ${bursts}) as charge (budget, point_ms, burst)
    ), locked as materialized (
      select b.*, charge.point_ms, charge.burst from rate_budget b join charge using (budget) where b.account = ${account} order by b.budget for update of b
    ), clock as materialized (
      select ${ASYNCHRONOUS}, ${NOW_MS} as ms, count(*) as found, sum(windows) as windows from locked
    ), used as materialized (
      select locked.*, current_period,
        case when period >= current_period then in_flight else 0 end as recent,
        case when period >= current_period then in_flight_before when period = current_period - 1 then in_flight else 0 end as earlier
      from locked, (select floor(ms / ${sql.lit(PERIOD_MS)}) as current_period from clock) as clock
    ), open as materialized (
      select w.budget, w.family, w.limit_points, w.until_ms <= clock.ms as is_over,
        case when w.until_ms <= clock.ms then coalesce(nullif(w.limit_points, 0), 'Infinity') else w.rest end - used.recent - used.earlier as remaining,
        case when w.until_ms <= clock.ms then clock.ms + ${sql.lit(ASSUMED_WINDOW_MS)} else w.until_ms end as until_ms
      from clock, used join rate_window w on w.account = ${account} and w.budget = used.budget for update of w
    ), free as (
      select paused_until_ms as at_ms from used
      union all select full_at_ms - (burst - ${points}) * point_ms from used where point_ms is not null
      union all select until_ms from open where remaining < least(${points}, limit_points) or remaining <= 0
    ), answer as materialized (
      select ms, found = cardinality(${budgets}) as is_open, windows = (select count(*) from open) as is_complete, ceil(greatest(0, (select max(at_ms) from free) - ms)) as wait_ms
      from clock
    ), taken as (
      update rate_budget b set
        period = greatest(used.period, used.current_period),
        in_flight = used.recent + ${points},
        in_flight_before = used.earlier,
        full_at_ms = case when used.point_ms is null then used.full_at_ms else greatest(used.full_at_ms, answer.ms) + ${points} * used.point_ms end
      from used, answer
      where answer.is_open and answer.is_complete and answer.wait_ms = 0 and b.account = ${account} and b.budget = used.budget
    ), renewed as (
      update rate_window w set rest = w.limit_points, stated = null, until_ms = open.until_ms
      from open, answer
      where answer.is_open and answer.is_complete and answer.wait_ms = 0 and open.is_over
        and w.account = ${account} and w.budget = open.budget and w.family = open.family
    )
    select answer.is_open, answer.is_complete, answer.wait_ms, used.current_period as period, used.unstated
    from answer left join used on used.budget = (${budgets})[1]`;
  },
);

interface Settlement extends BudgetValues {
  readonly points: number;
  readonly period: number;
  readonly unstated: number;
  readonly pausedUntilMs: number;
  readonly families: readonly string[];
  readonly limits: Numbers;
  readonly remaining: Numbers;
  readonly resetsMs: Numbers;
}

/** Ends a request. The response describes the first budget. */
const settlePoints = prepared((_, values: Settlement) => {
  const { account, budgets, points } = typed(values);
  const [period, unstated, pausedUntilMs] = [float(values.period), float(values.unstated), float(values.pausedUntilMs)];
  const families = sql`${values.families}::text[]`;
  const [limits, remaining, resetsMs] = [floats(values.limits), floats(values.remaining), floats(values.resetsMs)];
  return sql<{ readonly is_complete: boolean | null }>`
    with stated as (
      select * from unnest(${families}, ${limits}, ${remaining}, ${resetsMs}) as stated (family, limit_points, remaining, until_ms)
    ), locked as materialized (
      select * from rate_budget where account = ${account} and budget = any(${budgets}) order by budget for update
    ), clock as materialized (
      select ${ASYNCHRONOUS}, ${NOW_MS} as ms, sum(windows) as windows from locked
    ), open as materialized (
      select w.budget, w.family from clock, locked join rate_window w on w.account = ${account} and w.budget = locked.budget for update of w
    ), answer as materialized (
      select ms, windows = (select count(*) from open) as is_complete from clock
    ), released as (
      update rate_budget b set
        in_flight = greatest(0, locked.in_flight - case when locked.period = ${period} then ${points} else 0 end),
        in_flight_before = greatest(0, locked.in_flight_before - case when locked.period = ${period} + 1 then ${points} else 0 end),
        unstated = locked.unstated + case when is_first and exists (select from stated) then 0 else ${points} end,
        paused_until_ms = greatest(locked.paused_until_ms, case when is_first then ${pausedUntilMs} else 0 end),
        windows = locked.windows + case when is_first then (select count(*) from stated where family not in (select family from open where budget = locked.budget)) else 0 end
      from (select *, budget = (${budgets})[1] as is_first from locked) as locked, answer
      where answer.is_complete and b.account = ${account} and b.budget = locked.budget
    ), spent as (
      update rate_window w set rest = w.rest - ${points}
      from open, answer
      where answer.is_complete and w.account = ${account} and w.budget = open.budget and w.family = open.family
        and (w.budget <> (${budgets})[1] or w.family not in (select family from stated))
    ), learned as (
      insert into rate_window as w (account, budget, family, limit_points, rest, stated, until_ms)
      select ${account}, locked.budget, stated.family, stated.limit_points, stated.remaining - (locked.unstated - ${unstated}), stated.remaining, stated.until_ms
      from stated, answer, locked
      where answer.is_complete and locked.budget = (${budgets})[1]
      on conflict (account, budget, family) do update set
        limit_points = excluded.limit_points, rest = excluded.rest, stated = excluded.stated, until_ms = excluded.until_ms
      where w.stated is null or w.until_ms <= (select ms from answer)
        or excluded.until_ms > w.until_ms + ${sql.lit(RESET_PRECISION_MS)} or excluded.stated < w.stated
    )
    select is_complete from answer`;
});

/** Creates the budgets of an account that all processes on one database share, by the clock of the database. */
export function createRateBudgets(db: Kysely<Tables>, account: string): RateBudgets {
  /** Settlements under way. A request waits for those that this process began before it. */
  const settling = new Set<Promise<void>>();

  async function record({ budgets, points, period = 0, unstated }: Pass, { rates = [], pauseUntil }: Notice): Promise<void> {
    const stated = rates.filter(({ remaining, resetAtMs }) => remaining !== undefined && resetAtMs !== undefined);
    const settlement: Settlement = {
      account,
      budgets,
      points,
      period,
      unstated,
      pausedUntilMs: pauseUntil?.getTime() ?? 0,
      families: stated.map(({ family }) => family),
      limits: stated.map(({ limit = Infinity }) => limit),
      remaining: stated.map(({ remaining }) => remaining),
      resetsMs: stated.map(({ resetAtMs }) => resetAtMs),
    };
    for (;;) {
      const [answer] = (await settlePoints(db, settlement)).rows;
      if (answer?.is_complete !== false) return;
    }
  }

  return {
    async take(charge) {
      await Promise.all(settling);
      const { budgets, points } = charge;
      for (;;) {
        const [taken] = (await takePoints(db, { account, budgets, points, ...pacesOf(charge) })).rows;
        if (!taken?.is_open) await openBudgets(db, { account, budgets });
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
function pacesOf({ budgets, pace }: Charge): { readonly msPerPoint: Numbers; readonly bursts: Numbers } {
  const ofFirst = (value: number | undefined) => budgets.map((_, index) => (index === 0 ? value : undefined));
  return { msPerPoint: ofFirst(pace && 1000 / pace.perSecond), bursts: ofFirst(pace?.burst) };
}
