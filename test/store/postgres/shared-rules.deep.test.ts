import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { publishedHash, type RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import type { SharedAgenda } from '#src/engine/scheduler/shared-agenda.ts';
import { openCluster, type Cluster } from '#src/store/postgres/cluster.ts';
import { decided } from '../../engine/scheduler/fixture.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { startPostgres } from '../../support/postgres.ts';
import { makeRule } from '../../support/rules.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const join = (schema: string, worker: string): Promise<Cluster> =>
  openCluster({ url: postgres.url, schema, worker, role: 'worker', log: silentLog });

const ruleOf = (source: string, over: Partial<Rule> = {}): Rule =>
  makeRule({ published: publishedHash(source), version: source, schedule: { everyMs: 5_000 }, ...over });

async function publish(versions: RuleVersions, source: string, after: number): Promise<void> {
  await versions.publish({ files: [{ file: 'live.yaml', source }], by: 'test', after });
}

interface Options {
  readonly cluster: Pick<Cluster, 'store' | 'clock'>;
  readonly agenda: SharedAgenda;
  readonly rule: Rule;
  readonly poll?: () => Promise<Poll>;
}

async function work({ cluster: { store, clock }, agenda, rule, poll = async () => ({ items: [], complete: true }) }: Options) {
  const commits: Commit[] = [];
  const scheduler = await createSharedScheduler({
    rules: [rule],
    agenda,
    states: store.ruleStates,
    read: async (due, onPoll) => void (await Promise.all(due.map(async (one) => onPoll(one.rule.id, await poll())))),
    advance: (options) => decided(options),
    onCommit: (commit) => commits.push(commit),
    clock,
    log: silentLog,
  });
  return { scheduler, commits };
}

test('a slot that one worker runs while a version is published is refused, and another worker runs it', async () => {
  const schema = postgres.newSchema();
  await using a = await join(schema, 'a');
  await using b = await join(schema, 'b');
  await publish(a.store.ruleVersions, 'old', 0);
  const stop = new AbortController();
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = await work({
    cluster: a,
    agenda: a.agenda,
    rule: ruleOf('old'),
    async poll() {
      reached.resolve();
      await release.promise;
      return { items: [], complete: true };
    },
  });
  const slowWork = slow.scheduler.work(stop.signal);
  await slow.scheduler.tick();
  await reached.promise;

  await publish(b.store.ruleVersions, 'new', 1);
  const fast = await work({ cluster: b, agenda: b.agenda, rule: ruleOf('new') });
  const fastWork = fast.scheduler.work(stop.signal);
  release.resolve();
  await eventually('the slot of the new version', async () => {
    await slow.scheduler.tick();
    await fast.scheduler.tick();
    return fast.commits.length > 0;
  });
  stop.abort();
  await Promise.all([slowWork, fastWork]);

  expect(slow.commits).toEqual([]);
  expect(new Set(fast.commits.map(({ published }) => published))).toEqual(new Set([publishedHash('new')]));
  expect(slow.scheduler.stuck()).toEqual([]);
});

test('a rule whose version no running worker has is run by another worker', async () => {
  const schema = postgres.newSchema();
  await using a = await join(schema, 'a');
  await using b = await join(schema, 'b');
  const living = await work({ cluster: a, agenda: a.agenda, rule: ruleOf('one') });
  // The other worker has other accounts, so that its version of the rule differs. Then it ends.
  await work({ cluster: b, agenda: b.agenda, rule: ruleOf('two') });
  const { db } = a.store;
  const version = async () => (await sql<{ readonly version: string }>`select version from agenda`.execute(db)).rows[0]?.version;
  await living.scheduler.tick();
  expect(await version()).toBe('two');
  await sql`update agenda set next_ms = next_ms - 20000, entry = jsonb_set(entry::jsonb, '{nextMs}', to_jsonb(next_ms - 20000))::text`.execute(
    db,
  );
  await living.scheduler.tick();

  expect(await version()).toBe('one');
});
