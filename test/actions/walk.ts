import { resend } from '#src/admin/actions/resend.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { silentLog } from '#src/log.ts';
import type { Step } from '#src/rules/step.ts';
import type { FakePlatform, AttemptFailure } from '../support/fake-platform.ts';
import { creating, firing, renderPlainly } from '../support/firings.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { makeRule } from '../support/rules.ts';
import type { Stored } from './stored.ts';

const MINUTE_MS = 60_000;
/** Longer than every wait of a point. */
const RUN_OUT_MS = 180 * MINUTE_MS;

/** A point in the life of a delivery. */
interface Point {
  /** The step; by default, a post. */
  readonly step?: Partial<Step>;
  /** A step before it in its queue. */
  readonly ahead?: Partial<Step>;
  readonly nextFailures?: readonly (AttemptFailure | undefined)[];
  /** Whether the platform cannot be searched. */
  readonly isHidden?: boolean;
  /** How long Fanfare works before the action; absent: it does not begin. */
  readonly worksMs?: number;
  /** Whether the action comes while the request is under way. */
  readonly isDuring?: boolean;
  /** Whether its rule was paused and resumed before the action. */
  readonly wasPaused?: boolean;
}

export const POINTS: Readonly<Record<string, Point>> = {
  'decided, not begun': {},
  'behind a `wait`': { step: { afterMs: 60 * MINUTE_MS }, worksMs: 0 },
  'behind an earlier step': { ahead: {}, nextFailures: ['rateLimited'], worksMs: 0 },
  'request under way': { isDuring: true },
  'answer lost, on the platform': { nextFailures: ['answerLost'], worksMs: 0 },
  'answer lost, not on the platform': { nextFailures: ['unanswered'], worksMs: 0 },
  'refused for now': { nextFailures: ['rateLimited'], worksMs: 0 },
  'thread with one part sent': { step: { fit: 'thread' }, nextFailures: [undefined, 'rateLimited'], worksMs: 0 },
  '`discord.ask` without an answer': { step: { do: 'discord.ask' }, worksMs: 0 },
  sent: { worksMs: 0 },
  failed: { nextFailures: ['forbidden'], worksMs: 0 },
  unknown: { nextFailures: ['unanswered'], isHidden: true, worksMs: 60 * MINUTE_MS },
  skipped: { wasPaused: true, worksMs: 0 },
};

interface Cell {
  readonly stored: Stored;
  readonly platform: FakePlatform;
  readonly clock: ManualClock;
  readonly slotMs: number;
  readonly name: string;
  readonly action: string;
}

/** Whether an action was accepted, and the end of the delivery. */
export interface Outcome {
  readonly isRefused: boolean;
  readonly outcome: string;
}

/** Brings a delivery to a point, does the action, and lets Fanfare work to the end. */
export async function walk(point: Point, { stored, platform, clock, slotMs, name, action }: Cell): Promise<Outcome> {
  const { step, ahead, nextFailures = [], isHidden = false, worksMs, isDuring = false, wasPaused = false } = point;
  const texts = step?.fit === 'thread' ? [`${name} one`, `${name} two`] : [name];
  const wanted = creating([name], { ...step, with: { text: texts.join('|') } });
  const before = ahead ? [creating([name], { ...ahead, with: { text: `before ${name}` } })] : [];
  const rule = makeRule({ id: name, then: [...before, wanted] });
  const fired = firing(rule.then, { rule: name, queue: name, episode: name, atMs: clock.nowMs() });
  const id = fired.steps.at(-1)?.key ?? '';
  let during: (() => Promise<void>) | undefined;

  const engineOver = ({ deliveries }: Stored): DeliveryEngine =>
    createDeliveryEngine({
      deliveries,
      async perform(attempt) {
        await during?.();
        return platform.perform(attempt);
      },
      recover: (attempt) => (isHidden ? Promise.resolve('cannotTell') : platform.recover(attempt)),
      render: renderPlainly,
      isQuestion: (verb) => verb === 'discord.ask',
      visibleAfterMs: () => 10_000,
      random: () => 0.5,
      clock: { nowMs: () => clock.nowMs(), sleep: () => Promise.reject(new Error('nothing waits')) },
      log: silentLog,
    });
  const engine = engineOver(stored);

  async function work({ deliveries }: Stored, doing: DeliveryEngine, forMs: number): Promise<void> {
    const untilMs = clock.nowMs() + forMs;
    for (;;) {
      while (await doing.deliverNext());
      const nextMs = (await deliveries.nextDueMs(name, clock.nowMs())) ?? Infinity;
      if (nextMs > untilMs) break;
      clock.set(nextMs);
    }
    clock.set(untilMs);
  }

  /** The delivery of the point: of a thread, the part that is not sent. */
  async function current(): Promise<string> {
    const all = await stored.deliveries.ofFirings([fired.id]);
    return (all.find(({ after }) => after !== undefined) ?? all.at(-1))?.id ?? id;
  }

  async function act(): Promise<boolean> {
    switch (action) {
      case 'pause':
        await stored.pause(name);
        return true;
      case 'pause, then resume':
        await stored.pause(name);
        await stored.resume(name);
        return true;
      case 'delete':
        await stored.delete(name);
        return true;
      case 'turn off':
        await stored.disable(name);
        return true;
      case 'turn off, then on':
        await stored.disable(name);
        await stored.enable?.(name);
        return true;
      case 'resolve sent':
        return (await engine.resolve(await current(), 'sent')) !== undefined;
      case 'resolve again':
        return (await engine.resolve(await current(), 'again')) !== undefined;
      case 'resend': {
        const outcome = await resend(await current(), 'ada', {
          deliveries: { ...stored.deliveries, reopen: engine.reopen },
          ruleStates: stored,
          findRule: () => ({ rule, isOn: true }),
          isPost: () => false,
          clock,
        });
        return outcome !== undefined && 'resent' in outcome;
      }
      default:
        return true;
    }
  }

  platform.nextFailures.set(name, [...nextFailures]);
  await stored.commit(fired, slotMs);
  if (wasPaused) {
    await stored.pause(name);
    await stored.resume(name);
  }
  if (worksMs !== undefined) await work(stored, engine, worksMs);

  let isAccepted = true;
  let restored: Stored | undefined;
  const actNow = async (): Promise<void> => {
    during = undefined;
    if (action.startsWith('restore')) restored = await stored.copy?.();
    else isAccepted = await act();
  };
  if (isDuring) {
    during = actNow;
    await engine.deliverNext();
  } else await actNow();
  // Fanfare waits a minute for the file of a deleted rule to return.
  if (worksMs !== undefined) await work(stored, engine, 2 * MINUTE_MS);
  const isAnswered = (await engine.answer(id, { choice: 'yes' })) !== undefined;
  await work(stored, engine, RUN_OUT_MS);
  if (restored) {
    await using copy = restored;
    const again = engineOver(copy);
    const answeredAgain = (await again.answer(id, { choice: 'yes' })) !== undefined;
    await work(copy, again, RUN_OUT_MS);
    return { isRefused: false, outcome: await outcomeOf(copy, answeredAgain) };
  }
  return { isRefused: !isAccepted, outcome: await outcomeOf(stored, isAnswered) };

  async function outcomeOf({ deliveries }: Stored, answered: boolean): Promise<string> {
    const delivery = await deliveries.find(id);
    if (!delivery) throw new Error(`the delivery of ${name} is missing`);
    const counts = texts.map((text) => platform.records.filter(({ params }) => params['text'] === text).length);
    if (counts.some((count) => count > 1)) return 'sent twice';
    return nameOf(delivery, { answered, isThere: counts.every((count) => count === 1) });
  }
}

function nameOf({ do: verb, state }: Delivery, { answered, isThere }: { readonly answered: boolean; readonly isThere: boolean }): string {
  if (verb === 'discord.ask') return answered ? 'answered' : 'closed';
  if (state === 'sent') return isThere ? 'sent' : 'counts as sent';
  return state === 'skipped' && !isThere ? 'not sent' : state;
}
