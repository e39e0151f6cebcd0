import { describe, expect, test } from 'vitest';
import { check } from './check.ts';
import { explainViolations } from './explain.ts';
import { withForgotten } from './read-sandbox.ts';
import { ObservedRun, START_MS } from './observed.ts';

/** The kinds of all violations, with their rules. */
function violationsOf(run: ObservedRun, seconds = 400): readonly string[] {
  return check(run.at(seconds)).violations.map(({ kind, what }) => `${kind}: ${what}`);
}

/** A stream of 100 seconds with one new title. */
function stream(rule: string, handle = 'grace'): ObservedRun {
  return new ObservedRun(rule)
    .world(10, 'wentLive', handle, '71', 't1')
    .world(60, 'changedTitle', handle, '71', 't2')
    .world(110, 'ended', handle, '71', 't2');
}

const card = (): ObservedRun => stream('card-1').message(13, 'opened card-1 grace 71 t1').edit(64, 'opened card-1 grace 71 t2');

describe('a card', () => {
  test('that is complete has no violation', () => {
    expect(violationsOf(card().edit(122, 'closed card-1 grace 71'))).toEqual([]);
  });

  test('that never arrived is lost', () => {
    expect(violationsOf(stream('card-1'))).toEqual(['lost: the start was not announced']);
  });

  test('that arrived twice is duplicated', () => {
    const run = card().edit(122, 'closed card-1 grace 71').message(123, 'opened card-1 grace 71 t1');

    expect(violationsOf(run)).toContain('duplicated: "opened 71" arrived 2 times');
  });

  test('that was never closed is lost', () => {
    expect(violationsOf(card())).toEqual(['lost: the end was not announced']);
  });

  test('without a title that lasted is lost', () => {
    const run = new ObservedRun('card-1')
      .world(10, 'wentLive', 'grace', '71', 't1')
      .world(60, 'changedTitle', 'grace', '71', 't2')
      .message(13, 'opened card-1 grace 71 t1');

    expect(violationsOf(run)).toEqual(['lost: title t2 was not shown']);
    expect(violationsOf(run.world(200, 'ended', 'grace', '71', 't2').edit(212, 'closed card-1 grace 71'))).toEqual([]);
  });

  test('that shows an older title after a newer one is out of order', () => {
    const run = card().edit(66, 'opened card-1 grace 71 t1').edit(122, 'closed card-1 grace 71');

    expect(violationsOf(run)).toEqual(['out of order: an older event was announced after a newer one']);
  });

  test('that is edited after its end is out of order', () => {
    const run = card().edit(122, 'closed card-1 grace 71').edit(125, 'opened card-1 grace 71 t2');

    expect(violationsOf(run)).toEqual(['out of order: an older event was announced after a newer one']);
  });

  test('that repeats an edit has no violation', () => {
    const run = card().edit(122, 'closed card-1 grace 71').edit(123, 'closed card-1 grace 71');

    expect(violationsOf(run)).toEqual([]);
  });

  test('of the next stream before the end of the first is out of order', () => {
    const run = stream('card-1')
      .world(120, 'wentLive', 'grace', '72', 't3')
      .message(13, 'opened card-1 grace 71 t1')
      .edit(64, 'opened card-1 grace 71 t2')
      .edit(130, 'closed card-1 grace 71')
      .message(125, 'opened card-1 grace 72 t3');

    expect(violationsOf(run)).toEqual(['out of order: an older event was announced after a newer one']);
  });

  test('of a stream that the world does not have is unexpected', () => {
    const run = card().edit(122, 'closed card-1 grace 71').message(130, 'opened card-1 grace 99 t9');

    expect(violationsOf(run)).toEqual(['unexpected: the world has no event for this announcement']);
  });

  test('that is closed while the stream is live is unexpected', () => {
    const run = new ObservedRun('card-1')
      .world(10, 'wentLive', 'grace', '71', 't1')
      .message(13, 'opened card-1 grace 71 t1')
      .edit(30, 'closed card-1 grace 71');

    expect(violationsOf(run)).toEqual(['unexpected: the world has no event for this announcement']);
  });

  test('that no rule sends is unexpected', () => {
    const run = card().edit(122, 'closed card-1 grace 71').message(130, 'hello').message(131, 'opened card-9 grace 71 t1');

    expect(violationsOf(run)).toEqual(['unexpected: no rule sends this', 'unexpected: no rule sends this']);
  });
});

describe('time', () => {
  const short = (): ObservedRun =>
    new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1').world(30, 'ended', 'grace', '71', 't1');

  test('a short stream may be missed', () => {
    expect(violationsOf(short())).toEqual([]);
  });

  test('a short stream that was announced has an end', () => {
    expect(violationsOf(short().message(13, 'opened card-1 grace 71 t1'))).toEqual(['lost: the end was not announced']);
  });

  test('a late announcement is a violation', () => {
    const run = new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1').message(75, 'opened card-1 grace 71 t1');

    expect(violationsOf(run)).toEqual(['late: it arrived after 65 s']);
  });

  test.for([
    ['the database was down', (run: ObservedRun) => run.fault(12, 40, 'postgresKill')],
    ['the platform failed', (run: ObservedRun) => run.fault(12, 40, 'platform', { platform: 'discord' })],
    ['no worker could work', (run: ObservedRun) => run.fault(12, 40, 'freeze', { worker: 'w1' })],
  ] as const)('an announcement is not late while %s', ([, add]) => {
    const run = new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1').message(75, 'opened card-1 grace 71 t1');

    expect(violationsOf(add(run))).toEqual([]);
  });

  test('faults of another platform or of one of two workers do not extend the time limit', () => {
    const run = new ObservedRun('card-1')
      .line(1, { kind: 'ready', worker: 'w2' })
      .fault(12, 40, 'freeze', { worker: 'w1' })
      .fault(12, 40, 'platform', { platform: 'social' })
      .world(10, 'wentLive', 'grace', '71', 't1')
      .message(75, 'opened card-1 grace 71 t1');

    expect(violationsOf(run)).toEqual(['late: it arrived after 65 s']);
  });

  test('an announcement that can still arrive is not lost', () => {
    const run = new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1');

    expect(violationsOf(run, 65)).toEqual([]);
    expect(violationsOf(run, 75)).toEqual(['lost: the start was not announced']);
  });

  test('at the end of a run, nothing more can arrive', () => {
    const run = new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1');

    expect(check({ ...run.at(20), isFinal: true }).violations).toMatchObject([{ kind: 'lost', what: 'the start was not announced' }]);
  });

  test('the delays do not contain outages', () => {
    const run = new ObservedRun('card-1').world(10, 'wentLive', 'grace', '71', 't1').fault(12, 40, 'postgresKill');

    expect(check(run.message(45, 'opened card-1 grace 71 t1').at(60)).delaysMs).toEqual([7_000]);
  });
});

describe('posts', () => {
  test('with a reply have no violation', () => {
    const run = stream('reply-1').post(13, 'opened reply-1 grace 71 t1').post(122, 'closed reply-1 grace 71', { replyTo: 'p1' });

    expect(violationsOf(run)).toEqual([]);
  });

  test('with a reply to another post are unexpected', () => {
    const run = stream('reply-1').post(13, 'opened reply-1 grace 71 t1').post(122, 'closed reply-1 grace 71', { replyTo: 'p7' });

    expect(violationsOf(run)).toEqual(['unexpected: it replies to another post']);
  });

  test('with two replies are duplicated', () => {
    const run = stream('reply-1')
      .post(13, 'opened reply-1 grace 71 t1')
      .post(122, 'closed reply-1 grace 71', { replyTo: 'p1' })
      .post(124, 'closed reply-1 grace 71', { replyTo: 'p1' });

    expect(violationsOf(run)).toEqual(['duplicated: "closed 71" arrived 2 times']);
  });

  test('that are deleted at the end have no violation', () => {
    expect(violationsOf(stream('removal-1', 'linus').post(13, 'opened removal-1 linus 71 t1', { deletedAt: 122 }))).toEqual([]);
    expect(violationsOf(stream('removal-1', 'linus').post(13, 'opened removal-1 linus 71 t1'))).toEqual([
      'lost: the end was not announced',
    ]);
  });

  test('on a platform without idempotency may be lost, and not duplicated', () => {
    const post = () => stream('reply-x', 'dennis').post(13, 'opened reply-x dennis 71 t1', { platform: 'x' });

    expect(violationsOf(stream('reply-x', 'dennis'))).toEqual([]);
    expect(violationsOf(post())).toEqual([]);
    expect(violationsOf(post().post(200, 'opened reply-x dennis 71 t1', { platform: 'x' }))).toEqual([
      'duplicated: "opened 71" arrived 2 times',
    ]);
  });
});

describe('titles', () => {
  const titles = (): ObservedRun => stream('title-1', 'linus');

  test('in order have no violation', () => {
    expect(violationsOf(titles().message(13, 'titled title-1 linus 71 t1').message(63, 'titled title-1 linus 71 t2'))).toEqual([]);
  });

  test('that are missing, repeated or in another order are violations', () => {
    expect(violationsOf(titles().message(13, 'titled title-1 linus 71 t1'))).toEqual(['lost: title t2 was not announced']);
    expect(violationsOf(titles().message(63, 'titled title-1 linus 71 t2').message(64, 'titled title-1 linus 71 t1'))).toEqual([
      'out of order: an older event was announced after a newer one',
    ]);
    expect(
      violationsOf(
        titles()
          .message(13, 'titled title-1 linus 71 t1')
          .message(63, 'titled title-1 linus 71 t2')
          .message(64, 'titled title-1 linus 71 t2'),
      ),
    ).toEqual(['duplicated: "titled 71 t2" arrived 2 times']);
  });
});

describe('slots', () => {
  /** Messages of the slots at these minutes. */
  function slots(...minutes: readonly number[]): ObservedRun {
    const run = new ObservedRun('slot-1');
    for (const minute of minutes) run.message(60 * Math.max(minute, 0) + 2, `ran slot-1 2026-11-20T18:0${minute}:00.000Z`);
    return run;
  }

  test('that ran once each have no violation', () => {
    expect(violationsOf(slots(0, 1, 2, 3), 190)).toEqual([]);
  });

  test('that are missing are lost', () => {
    expect(violationsOf(slots(0, 1, 3), 190)).toEqual(['lost: the slot did not run']);
  });

  test('that ran twice are duplicated', () => {
    expect(violationsOf(slots(0, 1, 2, 3).message(185, 'ran slot-1 2026-11-20T18:03:00.000Z'), 190)).toEqual([
      'duplicated: the slot ran 2 times',
    ]);
  });

  test('in another order are a violation', () => {
    const run = slots(0, 1).message(183, 'ran slot-1 2026-11-20T18:03:00.000Z').message(184, 'ran slot-1 2026-11-20T18:02:00.000Z');

    expect(violationsOf(run, 190)).toContain('out of order: an older slot arrived after a newer one');
  });

  test('after the end of the faults need not have run', () => {
    const run = slots(0, 1).line(110, { kind: 'calm' });

    expect(check({ ...run.at(400), isFinal: true }).violations).toEqual([]);
  });

  test('that are not on the grid are unexpected', () => {
    const run = slots(0, 1, 2, 3).message(187, 'ran slot-1 2026-11-20T18:03:05.000Z');

    expect(violationsOf(run, 190)).toEqual(['unexpected: 2026-11-20T18:03:05.000Z is no slot of the rule']);
  });
});

test('a running worker that ends by itself is a violation', () => {
  const run = card()
    .edit(122, 'closed card-1 grace 71')
    .line(130, { kind: 'crashed', worker: 'w1', code: '1' })
    .line(131, { kind: 'started', worker: 'w1', shiftMs: 0, isNext: false })
    .line(132, { kind: 'crashed', worker: 'w1', code: '2' });

  expect(violationsOf(run)).toEqual(['unexpected: w1 ended by itself with 1']);
});

test('a violation has the events and the messages as evidence', () => {
  const [violation] = check(card().edit(66, 'opened card-1 grace 71 t1').edit(122, 'closed card-1 grace 71').at(400)).violations;

  expect(violation).toMatchObject({ rule: 'card-1', account: 'discord', item: 'grace' });
  expect(violation?.evidence).toEqual(['18:01:04.000 discord: edited stream 71 t2 (m1)', '18:01:06.000 discord: edited stream 71 t1 (m1)']);
});

test('the explanation of a violation has the history and the rows about it', () => {
  const { history, ...observed } = stream('card-1')
    .line(12, { kind: 'sent', process: 'w1-1', account: 'club', rule: 'card-1', delivery: 'd1' })
    .line(14, { kind: 'lane', account: 'discord', process: 'w1-1', sinceMs: START_MS + 13_000 })
    .fault(20, 30, 'platform', { platform: 'discord', detail: 'discord outage' })
    .fault(40, 50, 'platform', { platform: 'social', detail: 'social outage' })
    .line(171, { kind: 'calm' })
    .at(400);
  const { violations } = check({ history, ...observed });
  const tables = {
    decision: [
      { rule: 'card-1', item: 'grace' },
      { rule: 'card-1', item: 'linus' },
      { rule: 'card-2', item: 'grace' },
    ],
  };

  expect(explainViolations(violations, { history, tables })).toEqual([
    'history of lost: the start was not announced (card-1, discord, grace), 18:00:10.000 to 18:01:50.000',
    '    18:00:00.000 ready worker=w1',
    '    18:00:00.000 rulesRun',
    '    18:00:14.000 lane account=discord process=w1-1 sinceMs=18:00:13.000',
    '    18:00:20.000 fault id=5 fault=platform platform=discord detail=discord outage',
    '    18:00:30.000 healed id=5',
    '    decision: {"rule":"card-1","item":"grace"}',
  ]);
});

test('the explanation of a slot has the rows of its time', () => {
  const { history, ...observed } = new ObservedRun('slot-1').line(30, { kind: 'calm' }).at(400);
  const { violations } = check({ history, ...observed });
  const tables = {
    firing: [
      { rule: 'slot-1', at_ms: START_MS },
      { rule: 'slot-1', at_ms: START_MS + 90_000 },
    ],
  };

  expect(explainViolations(violations, { history, tables }).at(-1)).toBe(`    firing: {"rule":"slot-1","at_ms":${START_MS}}`);
});

test('messages that the sandbox has deleted still count', () => {
  const earlier = new ObservedRun('card-1').message(5, 'opened card-1 grace 71 t1').message(6, 'opened card-1 grace 72 t1').at(10);
  const { history: _, ...later } = new ObservedRun('card-1')
    .message(5, 'opened card-1 grace 71 t1')
    .edit(8, 'closed card-1 grace 71')
    .at(10);

  const { snapshot } = withForgotten(later, earlier.snapshot.messages);

  expect(snapshot.messages.map(({ id, content }) => [id, content])).toEqual([
    ['m2', 'opened card-1 grace 72 t1'],
    ['m1', 'closed card-1 grace 71'],
  ]);
});
