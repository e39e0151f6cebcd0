import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fc, runs } from '../../../support/property.ts';
import { beside, doneBy, promisedBy } from './outcomes.ts';
import { openPreviewStage, type PreviewStage } from './preview-stage.ts';
import { announcement, sourceOf } from './random-announcements.ts';
import { receivedBy, receivedSince } from './received.ts';

const RUNS = runs(3, 100);

describe('the preview of a rule', () => {
  let stage: PreviewStage;
  beforeAll(async () => {
    stage = await openPreviewStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('shows what the platforms receive when the rule fires, and why steps fail', async () => {
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(announcement, async (one) => {
        stage.goLive(one.title);
        const rule = stage.load(sourceOf(one, `r${(cases += 1)}`, stage.files));
        fc.pre(rule !== undefined);

        const promised = promisedBy(await stage.preview(rule));
        const before = await receivedBy(stage.sandbox);
        await using running = await stage.start(rule);
        const deliveries = await running.poll();
        const done = doneBy(deliveries, receivedSince(before, await receivedBy(stage.sandbox)));

        const { messages, steps } = promised;
        expect(beside(promised, done)).toEqual({ messages, steps, failures: [], unclear: [] });
      }),
      { numRuns: RUNS },
    );
  });
});
