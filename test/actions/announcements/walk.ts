import { ManualClock } from '../../support/manual-clock.ts';
import { openStage } from '../../engine/rule-sets/fixture.ts';
import type { Act } from './acts.ts';
import type { Expectations } from './expectations.ts';
import { Installation } from './installation.ts';
import { FILE, textOf, type Night, type WalkedRule } from './walked-rule.ts';

/** Lives a night in which people act while announcements are under way. Throws at the first broken promise. */
export async function walk(night: Night, rule: WalkedRule, acts: readonly Act[]): Promise<Expectations> {
  const clock = new ManualClock(night.startMs);
  const installation = new Installation(night, rule, clock);
  await using first = await openStage(
    { [FILE]: textOf(rule, night) },
    { clock, poll: () => installation.poll(), onAdvance: (one) => installation.expectations.decided(one, clock.nowMs()) },
  );
  installation.take(first);
  for (const act of acts) await installation.do(act);
  await installation.end();
  return installation.expectations;
}
