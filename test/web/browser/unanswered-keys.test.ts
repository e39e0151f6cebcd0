import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUnansweredKeys } from '#src/web/browser/unanswered-keys.ts';

const PAUSE = { operation: 'pauseRule', input: { rule: 'digest' } } as const;
const RESUME = { operation: 'resumeRule', input: { rule: 'digest' } } as const;

function open() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let count = 0;
  return createUnansweredKeys(() => `k${++count}`);
}

describe('a repeat of a request without an answer', () => {
  test('has the same key for a minute, and then the page is told', () => {
    const keys = open();
    const forgotten = vi.fn<() => void>();
    keys.keep(PAUSE, keys.keyFor(PAUSE), forgotten);

    vi.advanceTimersByTime(59_999);
    expect([keys.keyFor(PAUSE), keys.keyFor(RESUME)]).toEqual(['k1', 'k2']);
    expect(forgotten).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(keys.keyFor(PAUSE)).toBe('k3');
    expect(forgotten).toHaveBeenCalledOnce();
  });

  test('whose answer was lost too keeps the key for another minute, for the one who sent it', () => {
    const keys = open();
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    keys.keep(PAUSE, 'k', first);
    vi.advanceTimersByTime(30_000);

    keys.keep(PAUSE, 'k', second);

    expect([first.mock.calls, second.mock.calls]).toEqual([[[]], []]);
    vi.advanceTimersByTime(59_999);
    expect(keys.keyFor(PAUSE)).toBe('k');
  });

  test('is a new action after a refusal, which concerns no other request', () => {
    const keys = open();
    const forgotten = vi.fn<() => void>();
    keys.keep(PAUSE, 'k-pause', forgotten);
    keys.keep(RESUME, 'k-resume', vi.fn<() => void>());

    keys.refused(PAUSE);

    expect([keys.keyFor(PAUSE), keys.keyFor(RESUME)]).toEqual(['k1', 'k-resume']);
    expect(forgotten).toHaveBeenCalledOnce();
  });

  type Request = Parameters<ReturnType<typeof open>['keyFor']>[0];
  const RUN: Request = { operation: 'runRule', input: { rule: 'digest' } };
  const REMOVE: Request = { operation: 'removeListEntries', input: { list: 'team', entries: ['ada'] } };
  const BREAK: Request = { operation: 'addSandboxFault', input: { platform: 'discord', kind: 'delay' } };

  test.for<readonly [lost: Request, done: Request]>([
    [PAUSE, RESUME],
    [PAUSE, PAUSE],
    [PAUSE, { operation: 'resumeRule', input: { rule: 'digest/chess' } }],
    [REMOVE, { operation: 'addListEntries', input: { list: 'team', entries: [] } }],
    [REMOVE, { operation: 'undoListChange', input: { change: 'c1' } }],
    [BREAK, { operation: 'endSandboxFaults', input: {} }],
    [
      { operation: 'changeRole', input: { person: 'p1', role: 'admin' } },
      { operation: 'changeRole', input: { person: 'p1', role: 'viewer' } },
    ],
  ])('is a new action after another one on the same target: %j, %j', ([lost, done]) => {
    const keys = open();
    const forgotten = vi.fn<() => void>();
    keys.keep(lost, 'kept', forgotten);

    keys.done(done);

    expect(keys.keyFor(lost)).toBe('k1');
    expect(forgotten).toHaveBeenCalledOnce();
  });

  test.for<readonly [lost: Request, done: Request]>([
    [RUN, { operation: 'runRule', input: { rule: 'weekly' } }],
    [RUN, { operation: 'resendDelivery', input: { delivery: 'digest' } }],
    [RUN, REMOVE],
    [RUN, { operation: 'createToken', input: { name: 'digest', scope: 'read' } }],
    [
      { operation: 'resendDelivery', input: { delivery: 'd1' } },
      { operation: 'resendDelivery', input: { delivery: 'd2' } },
    ],
    [BREAK, { operation: 'moveSandboxClock', input: { speed: 2 } }],
  ])('is not done twice after an action on something else: %j, %j', ([lost, done]) => {
    const keys = open();
    keys.keep(lost, 'kept', () => expect.unreachable());

    keys.done(done);

    expect(keys.keyFor(lost)).toBe('kept');
  });
});
