import { createListActions } from '#src/admin/actions/list-actions.ts';
import { createPostActions } from '#src/admin/actions/post-actions.ts';
import { createRuleActions } from '#src/admin/actions/rule-actions.ts';
import { createServerActions } from '#src/admin/actions/server-actions.ts';
import { storedValues } from '#src/admin/actions/stored-values.ts';
import { createListSource } from '#src/admin/lists/list-source.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { createPosting } from '#src/engine/posting/create-posting.ts';
import { publishedHash } from '#src/engine/rule-sets/rule-versions.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import { Refused } from '#src/errors.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { decided } from '../../engine/scheduler/fixture.ts';
import type { TimedDatabase, TimedProcess } from '../../store/postgres/timed-database.ts';
import { makeRule } from '../../support/rules.ts';
import type { Request } from './acts.ts';
import { QUEUE, type ExpectedChange, type ExpectedState } from './expected-state.ts';

const BY = { name: 'ada', via: 'api', role: 'editor' } as const;
const notWalked = (): Promise<never> => Promise.reject(new Error('the walk does not do this'));

/** The names of what the people of a walk change. */
export interface Subjects {
  readonly rule: string;
  readonly list: string;
  readonly server: string;
}

export interface Answered {
  /** A code of a refusal, or what was done. */
  readonly answer: string;
  /** The change of the list. */
  readonly change?: ExpectedChange | undefined;
}

/** A worker and its state in memory. */
export interface Worker {
  ask(request: Request): Promise<Answered>;
  /** Reads the version in force. */
  readonly reload: () => Promise<void>;
  /** What the worker shows. */
  shown(posts: readonly string[]): Promise<Omit<ExpectedState, 'version'>>;
}

/** Starts a worker with the version in force. */
export async function startWorker(process: TimedProcess, { jobsSchema }: TimedDatabase, subjects: Subjects): Promise<Worker> {
  const { store, clock, log } = process;
  const { ruleStates, auditLog } = store;
  let rule = await inForce();

  /** The rule of the version in force. Each run adds one to its value. */
  async function inForce(): Promise<Rule> {
    const version = await store.ruleVersions.inForce();
    const [file] = (version && (await store.ruleVersions.files(version.number))) ?? [];
    const { source = '' } = file ?? {};
    return makeRule({
      id: subjects.rule,
      version: source,
      published: publishedHash(source),
      watched: undefined,
      schedule: { everyMs: 30 * 86_400_000 },
      keep: [{ name: 'n', type: 'whole', start: 0, next: () => ({ value: 0 }) }],
    });
  }

  const scheduler = await createSharedScheduler({
    rules: [rule],
    states: ruleStates,
    agenda: createSharedAgenda({ ...process, jobsSchema, wasDown: false }),
    read: () => Promise.resolve(),
    advance(slot) {
      const n = Number(slot.state.memory.kept?.['n'] ?? 0) + 1;
      const [decision] = decided(slot).decisions;
      if (!decision) throw new Error('a slot decides');
      return {
        ...decided(slot),
        change: { memory: { ...slot.state.memory, kept: { n } }, put: [], drop: [] },
        decisions: [{ ...decision, message: String(n) }],
      };
    },
    onCommit: () => undefined,
    clock,
    log,
  });
  const posting = createPosting({
    accounts: { social: { all: ['x'], defaults: ['x'] } },
    clients: { social: new Map([['x', { platformName: 'x', textLimit: undefined }]]) },
    store,
    eventBus: createEventBus(),
    wake: () => undefined,
    dataDirectory: '/nonexistent',
    queueTimes: QUEUE.times,
    pictureHosts: new Set(),
    clock,
    log,
  });
  const fileLists = () => Promise.resolve(new Map());
  const actions = {
    ...createRuleActions({
      rules: () => [rule],
      isOn: () => true,
      ruleStates,
      run: (id, options) => scheduler.run(id, options),
      test: notWalked,
      preview: notWalked,
      replay: notWalked,
      auditLog,
      clock,
    }),
    ...createListActions({ lists: store.lists, fileLists, rules: () => [], auditLog }),
    ...createServerActions({ storedServers: store.servers, auditLog }),
    ...createPostActions({ posting, failureText: () => Promise.resolve('it failed'), auditLog }),
  };
  const listSource = createListSource({ folder: openListFolder('/nonexistent'), store: store.lists });

  async function reload(): Promise<void> {
    rule = await inForce();
    await scheduler.apply({ put: [rule], drop: [] });
  }

  const { list, server } = subjects;
  const changed = async (doing: ReturnType<typeof actions.pauseRule>) => ((await doing)?.changed.length === 0 ? 'unchanged' : 'done');
  async function edited(doing: ReturnType<typeof actions.addListEntries>): Promise<Answered> {
    const { change } = await doing;
    if (!change) return { answer: 'unchanged' };
    const lines = (states: typeof change.before) =>
      Object.fromEntries(Object.entries(states).map(([id, fields]) => [id, fields && lineOf(fields)]));
    return { answer: 'done', change: { id: change.id, before: lines(change.before), after: lines(change.after) } };
  }

  async function perform(request: Request): Promise<Answered | string> {
    switch (request.kind) {
      case 'pause':
        return changed(actions.pauseRule({ rule: subjects.rule, until: toDate(request.untilMs) }, BY));
      case 'plan':
        return changed(actions.pauseRule({ rule: subjects.rule, from: new Date(request.fromMs), until: toDate(request.untilMs) }, BY));
      case 'resume':
        return changed(actions.resumeRule({ rule: subjects.rule }, BY));
      case 'cancelPlans':
        return changed(actions.resumeRule({ rule: subjects.rule, planned: true }, BY));
      case 'setValue':
        return `before ${String((await actions.setValue({ rule: subjects.rule, name: 'n', value: request.value }, BY))?.before)}`;
      case 'run':
        // The action gives two people of one worker the same run.
        return `ran ${(await scheduler.run(subjects.rule))?.decisions[0]?.message ?? 'not'}`;
      case 'publish': {
        const { after, source } = request;
        const { kind } = await store.ruleVersions.publish({ files: [{ file: 'live.yaml', source }], by: 'ada', after });
        await reload();
        return kind === 'published' ? 'done' : kind;
      }
      case 'setChannel':
        await actions.configureServer({ server, channel: request.channel }, BY);
        return 'done';
      case 'setPings':
        await actions.configureServer({ server, pings: [...request.pings], expected: { pings: [...request.expected] } }, BY);
        return 'done';
      case 'add':
        return edited(actions.addListEntries({ list, entries: [{ id: request.entry, fields: { line: request.line } }] }, BY));
      case 'remove':
        return edited(actions.removeListEntries({ list, entries: [request.entry] }, BY));
      case 'change': {
        const { entry, line, expected } = request;
        return edited(actions.changeListEntry({ list, entry, fields: { line }, expected: { line: expected } }, BY));
      }
      case 'deleteList':
        return edited(actions.deleteList({ list }, BY));
      case 'undo':
        return edited(actions.undoListChange({ change: request.change.id }, BY));
      case 'queue': {
        const options = { id: `${server}-${request.post}`, by: { id: '1', name: 'ada' }, server, at: { queue: QUEUE.zone } };
        return `at ${(await posting.send({ text: request.text, accounts: ['x'] }, options)).at.getTime()}`;
      }
      case 'edit':
        await actions.editPost({ post: `${server}-${request.post}`, text: request.text, edits: request.edits }, BY);
        return 'done';
      case 'move':
        await actions.movePost({ post: `${server}-${request.post}`, at: new Date(request.atMs) }, BY);
        return 'done';
      case 'cancel':
        await actions.cancelPost({ post: `${server}-${request.post}` }, BY);
        return 'done';
    }
  }

  return {
    reload,

    async ask(request) {
      try {
        const performed = await perform(request);
        return typeof performed === 'string' ? { answer: performed } : performed;
      } catch (error) {
        if (error instanceof Refused) return { answer: error.code };
        throw error;
      }
    },

    async shown(posts) {
      const { person } = (await ruleStates.paused()).get(subjects.rule) ?? {};
      const planned = (await ruleStates.planned()).get(subjects.rule) ?? [];
      const lists = await listSource.current();
      const settings = await store.servers.find(server);
      const found = await Promise.all(
        posts.map(async (id) => {
          const post = await posting.find(`${server}-${id}`);
          if (!post) throw new Error(`the post ${id} is gone`);
          const { text, edits, at, isQueued, cancelledBy } = post;
          return [id, { text, edits, atMs: at.getTime(), isQueued, isCancelled: cancelledBy !== undefined }] as const;
        }),
      );
      const entries = lists.entries(list).map(({ id, fields }) => [id, lineOf(fields)] as const);
      return {
        pausedUntilMs: person ? (person.untilMs ?? Infinity) : 0,
        plans: Object.fromEntries(planned.map(({ fromMs, untilMs = Infinity }) => [fromMs, untilMs])),
        value: Number((await storedValues(rule, ruleStates))?.['n']),
        entries: lists.names().includes(list) ? Object.fromEntries(entries) : undefined,
        channel: settings?.channel ?? '',
        pings: settings?.pings ?? [],
        posts: Object.fromEntries(found),
      };
    },
  };
}

function lineOf({ line }: JsonObject): string {
  if (typeof line !== 'string') throw new Error('each entry of the walk has a line');
  return line;
}

function toDate(ms: number): Date | undefined {
  return ms === Infinity ? undefined : new Date(ms);
}
