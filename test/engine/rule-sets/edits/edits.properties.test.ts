import { expect, test } from 'vitest';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { fc, runs } from '../../../support/property.ts';
import { openStage, stream, type Stage } from '../fixture.ts';
import { someChange, START, textOf, USERS, type EditedRule } from './edited-rule.ts';
import { ExpectedAnnouncements, type LiveChannel } from './expected-announcements.ts';

const WORLDS = runs(8, 120);

/** The edits between two polls. */
type Act =
  | {
      readonly kind: 'edit' | 'editWhileStopped' | 'off' | 'gone' | 'renameId' | 'renameIdWhileStopped' | 'renameIdLate';
      readonly change: Partial<EditedRule>;
    }
  | { readonly kind: 'nothing' | 'restart' | 'broken' | 'renameFile' | 'failedPoll'; readonly change?: undefined };

interface Step {
  /** The changes of each channel. */
  readonly fates: readonly number[];
  readonly act: Act;
}

const someAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'nothing' }) },
  { weight: 5, arbitrary: someChange.map((change): Act => ({ kind: 'edit', change })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('editWhileStopped', 'off', 'gone', 'renameId', 'renameIdWhileStopped', 'renameIdLate'),
      change: fc.oneof(someChange, fc.constant({})),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Act>({ kind: 'restart' }, { kind: 'broken' }, { kind: 'renameFile' }, { kind: 'failedPoll' }) },
);

const someStep: fc.Arbitrary<Step> = fc.record({ fates: fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }), act: someAct });

test(`${WORLDS} random worlds: edits between polls announce and end nothing else`, async () => {
  let announced = 0;
  const property = fc.asyncProperty(fc.array(someStep, { minLength: 5, maxLength: 25 }), async (steps) => {
    announced += await new EditedWorld().run(steps);
  });

  await fc.assert(property, { numRuns: WORLDS });

  expect(announced).toBeGreaterThan(3 * WORLDS);
});

/** A rule that is edited while channels go live and end. */
class EditedWorld {
  readonly #expected = new ExpectedAnnouncements();
  #rule = START;
  #file = 'live.yaml';
  #live: readonly LiveChannel[] = [];
  #streams = 0;
  #fails = false;
  #announced: string[] = [];
  #wanted: string[] = [];

  /** Resolves with the number of announcements. Throws at the first difference. */
  async run(steps: readonly Step[]): Promise<number> {
    const first = await openStage(
      { [this.#file]: textOf(this.#rule) },
      { poll: (rule, nowMs) => this.#poll(rule, nowMs), onAdvance: (one) => this.#note(one) },
    );
    let stage = first;
    try {
      await stage.pass(10);
      for (const { fates, act } of steps) {
        this.#live = USERS.flatMap((user, at) => this.#fate(user, fates[at] ?? 0, stage.clock.nowMs()));
        stage = await this.#act(act, stage);
        await stage.pass(10);
        const [announced, wanted] = [this.#announced, this.#wanted].map((lines) => lines.toSorted().join(', '));
        if (announced !== wanted) throw new Error(`announced: ${announced}\nexpected:  ${wanted}`);
      }
      return this.#announced.length;
    } finally {
      await first[Symbol.asyncDispose]();
    }
  }

  async #act({ kind, change = {} }: Act, stage: Stage): Promise<Stage> {
    const before = this.#rule;
    this.#rule = { ...before, ...change };
    this.#fails = kind === 'failedPoll';
    switch (kind) {
      case 'edit':
        await this.#write(stage);
        break;
      case 'editWhileStopped':
        await stage.write(this.#file, textOf(this.#rule));
        return stage.restart();
      case 'renameId':
        this.#rename(before.id);
        await this.#write(stage);
        break;
      case 'renameIdWhileStopped':
        this.#rename(before.id);
        await stage.write(this.#file, textOf(this.#rule));
        return stage.restart();
      case 'renameIdLate':
        // The first edit forgets the previous id.
        this.#rename(before.id);
        await stage.write(this.#file, textOf({ ...before, id: this.#rule.id, was: undefined }));
        await reload(stage);
        await this.#write(stage);
        break;
      case 'restart':
        return stage.restart();
      case 'off':
        await stage.write(this.#file, textOf({ ...before, isOn: false }));
        await reload(stage);
        await stage.pass(20);
        await this.#write(stage);
        break;
      case 'gone':
        await stage.remove(this.#file);
        await reload(stage);
        await stage.pass(3);
        await this.#write(stage);
        break;
      case 'broken':
        await stage.write(this.#file, `${textOf(before)}wenn: now\n`);
        await reload(stage);
        await stage.pass(10);
        await this.#write(stage);
        break;
      case 'renameFile':
        await stage.remove(this.#file);
        this.#file = this.#file === 'live.yaml' ? 'other.yaml' : 'live.yaml';
        await this.#write(stage);
        break;
      case 'nothing':
      case 'failedPoll':
    }
    return stage;
  }

  #rename(was: string): void {
    this.#rule = { ...this.#rule, id: `${was}x`, was };
  }

  async #write(stage: Stage): Promise<void> {
    await stage.write(this.#file, textOf(this.#rule));
    await reload(stage);
  }

  #poll({ watched }: Rule, atMs: number): Poll {
    if (this.#fails) return { failure: 'unavailable' };
    const named = watched?.with['users'];
    const users = USERS.filter((user) => Array.isArray(named) && named.includes(user));
    const above = Number(/\d+/u.exec(watched?.where?.source ?? '')?.[0]);
    const isByChannel = watched?.key(stream('ada', { id: 'a stream' })) === 'ada';
    this.#wanted.push(...this.#expected.poll({ users, above, isByChannel, live: this.#live, atMs }));
    const read = this.#live.filter(({ user }) => users.includes(user));
    const items = read.map(({ user, id, viewers, beganMs }) =>
      stream(user, { id, viewerCount: viewers, startedAt: new Date(beganMs).toISOString() }),
    );
    return { items, complete: true };
  }

  #note({ firings }: Advance): void {
    for (const { section, scope, steps } of firings) {
      const isPublic = steps.some(({ step, suppressed }) => step.creates && !suppressed);
      const id = isJsonObject(scope.item) && typeof scope.item['id'] === 'string' ? scope.item['id'] : '?';
      if (isPublic) this.#announced.push(`${section === 'then' ? 'start' : 'end'} ${id}`);
    }
  }

  /** The channel after a fate. A list may show a stream some seconds after its start. */
  #fate(user: string, fate: number, nowMs: number): readonly LiveChannel[] {
    const now = this.#live.filter((channel) => channel.user === user);
    const begin = (agoMs: number): readonly LiveChannel[] => [
      { user, id: `${user}-${++this.#streams}`, beganMs: nowMs - agoMs, viewers: 100 },
    ];
    switch (fate) {
      case 0:
      case 1:
        return now.length > 0 ? now : begin(0);
      case 2:
        return now.length > 0 ? now : begin(40_000);
      case 3:
        return [];
      case 4:
        return begin(5_000);
      case 5:
        return now.map((channel) => ({ ...channel, viewers: channel.viewers === 100 ? 30 : 100 }));
      case 6:
        return now.map((channel) => ({ ...channel, viewers: 900 }));
      default:
        return now;
    }
  }
}

async function reload(stage: Stage): Promise<void> {
  await stage.reloads.reload();
  await stage.reloads.settled();
}
