import { fork, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { createEngine } from '#src/app/engine.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { createClients, type Clients } from '#src/clients/clients.ts';
import type { Clock } from '#src/clock.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createObservers } from '#src/engine/observers.ts';
import { silentLog } from '#src/log.ts';
import { loadRules } from '#src/rules/load.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { accounts } from '../../test/support/rule-language.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { messageOf } from '../child-process.ts';
import { countStatements } from '../count-statements.ts';
import { Listening, POLLS_PER_CHANGE } from '../job/report.ts';
import { RULE } from '../job/rule.ts';
import { medianOf } from '../median.ts';
import { cpuMsFor } from './calibration.ts';
import { plainProgram } from './plain-program.ts';

const EVERY_MS = 5_000;
const WARM_UP_POLLS = 90;
const POLLS = 15;
const POSTS = POLLS / POLLS_PER_CHANGE;
const ROUNDS = 40;

export interface QuickPolls {
  /** The CPU time of polls of which each third one is followed by a post, as a ratio to the plain program. */
  readonly polls: number;
  /** The CPU time from the end of the response of a poll to the request of its post, as a ratio to three polls of the plain program and its post. */
  readonly pollToPost: number;
  readonly statementsOfAPoll: number;
  readonly statementsBeforeAPost: number;
  /** Each of them waits for the disk. */
  readonly commitsBeforeAPost: number;
}

/**
 * The job of `bench/job` in the engine of this process, with the adapters, a SQLite file, and platforms in another process. The polls follow each other
 * at once, and turns of the plain program alternate with those of the engine.
 */
export async function quickPolls(): Promise<QuickPolls> {
  using folder = temporaryFolder();
  // Each program has its own platforms, so that none reaches a rate limit and both see the same changes.
  const [server, plainServer] = [fork('bench/job/server.ts'), fork('bench/job/server.ts')];
  const stopping = new AbortController();
  const [environment, plainEnvironment] = await Promise.all([environmentOf(server), environmentOf(plainServer)]);
  const clock = new ManualClock();
  try {
    await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite'), clock });
    const posts = watchPosts();
    const { scheduler, deliveryEngine } = await createEngine({
      rules: await loadJob(folder.path, clock.nowMs()),
      clients: clientsOf(environment, clock),
      store,
      observers: posts.observers,
      eventBus: createEventBus(),
      health: createAccountHealth(() => undefined),
      clock,
      log: silentLog,
    });
    using counted = countStatements();
    using requests = watchRequests(counted);
    const running = deliveryEngine.run(stopping.signal);

    async function poll(count: number): Promise<void> {
      for (let index = 0; index < count; index++) {
        await clock.advance(EVERY_MS);
        await scheduler.tick();
        await posts.arrived();
      }
    }

    using plainFile = new DatabaseSync(join(folder.path, 'plain.sqlite'));
    const pollPlainly = await plainProgram(plainFile, plainEnvironment);
    await pollPlainly(WARM_UP_POLLS);
    await poll(WARM_UP_POLLS);
    const [polls, pollToPost]: [number[], number[]] = [[], []];
    const counts = { statements: 0, statementsBefore: 0, commitsBefore: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const plainMs = await cpuMsFor(() => pollPlainly(POLLS));
      // The requests of the plain program count too.
      requests.take();
      polls.push((await cpuMsFor(() => poll(POLLS))) / plainMs);
      const taken = requests.take();
      pollToPost.push(taken.cpuMs / plainMs);
      if (taken.posts !== POSTS) throw new Error(`${taken.posts} posts were sent, and not ${POSTS}`);
      counts.statements += taken.statements;
      counts.statementsBefore += taken.statementsBefore;
      counts.commitsBefore += taken.commitsBefore;
    }
    stopping.abort();
    await running;
    return {
      polls: medianOf(polls),
      pollToPost: medianOf(pollToPost),
      statementsOfAPoll: counts.statements / (ROUNDS * POLLS),
      statementsBeforeAPost: counts.statementsBefore / (ROUNDS * POSTS),
      commitsBeforeAPost: counts.commitsBefore / (ROUNDS * POSTS),
    };
  } finally {
    stopping.abort();
    server.disconnect();
    plainServer.disconnect();
  }
}

async function environmentOf(server: ChildProcess): Promise<Readonly<Record<string, string>>> {
  return Listening.parse(await messageOf(server)).environment;
}

async function loadJob(folder: string, nowMs: number): Promise<readonly Rule[]> {
  const rules = join(folder, 'rules');
  mkdirSync(rules);
  writeFileSync(join(rules, 'top-five.yaml'), RULE);
  const named = { ...accounts, social: { all: ['sandbox'], defaults: ['sandbox'] } };
  const loaded = await loadRules({ paths: [rules], catalogue, accounts: named, nowMs });
  const [fault] = loaded.diagnostics.filter(({ severity }) => severity === 'error');
  if (fault) throw new Error(fault.message);
  return loaded.rules;
}

function clientsOf(environment: Readonly<Record<string, string>>, clock: Clock): Clients {
  const of = (name: string): string => environment[name] ?? '';
  const streams = twitch({
    clientId: of('TWITCH_CLIENT_ID'),
    clientSecret: of('TWITCH_CLIENT_SECRET'),
    apiUrl: of('TWITCH_API_URL'),
    authUrl: of('TWITCH_AUTH_URL'),
    clock,
  });
  const posts = sandbox({ url: of('SANDBOX_URL'), token: of('SANDBOX_TOKEN'), clock });
  return createClients({ streaming: [streams], social: [posts], discord: [] }, clock);
}

/** Waits for the posts of the firings so far. */
function watchPosts() {
  const observers = createObservers();
  let [fired, sent] = [0, 0];
  let resume: () => void = () => undefined;
  observers.add({
    slotCommitted({ firings }) {
      fired += firings.length;
    },
    delivered({ state, error }) {
      if (state === 'failed') throw new Error(error?.message);
      if (state === 'sent') sent += 1;
      resume();
    },
  });
  return {
    observers,
    async arrived() {
      while (sent < fired) await new Promise<void>((resolve) => (resume = resolve));
    },
  };
}

/** What undici reports about a request. */
const Reported = z.object({ request: z.object({ method: z.string(), path: z.string() }) });

/** Sums up what happens between the end of the response of a poll and the request of its post. */
function watchRequests(counted: { readonly statements: number; readonly commits: number }) {
  const NONE = { posts: 0, cpuMs: 0, statementsBefore: 0, commitsBefore: 0 };
  let sums = { ...NONE };
  let begun = counted.statements;
  let polled = { cpuMs: Number.NaN, statements: 0, commits: 0 };

  function onResponse(event: unknown): void {
    if (!Reported.parse(event).request.path.includes('/streams')) return;
    polled = { cpuMs: cpuMs(), statements: counted.statements, commits: counted.commits };
  }

  function onRequest(event: unknown): void {
    if (Reported.parse(event).request.method !== 'POST') return;
    sums.posts += 1;
    sums.cpuMs += cpuMs() - polled.cpuMs;
    sums.statementsBefore += counted.statements - polled.statements;
    sums.commitsBefore += counted.commits - polled.commits;
  }

  subscribe('undici:request:trailers', onResponse);
  subscribe('undici:client:sendHeaders', onRequest);
  return {
    /** The sums since the last call. */
    take() {
      const taken = { ...sums, statements: counted.statements - begun };
      sums = { ...NONE };
      begun = counted.statements;
      return taken;
    },
    [Symbol.dispose]() {
      unsubscribe('undici:request:trailers', onResponse);
      unsubscribe('undici:client:sendHeaders', onRequest);
    },
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

if (import.meta.main) console.log(await quickPolls());
