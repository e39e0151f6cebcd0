import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScenarioKind } from '#src/engine/simulation/preview/scenario-kind.ts';
import { fc, runs } from '../../../support/property.ts';
import { doneBy, promisedBy } from './outcomes.ts';
import { openPreviewStage, type PreviewStage } from './preview-stage.ts';
import { story, storySource } from './random-stories.ts';
import { recordsBy } from './received.ts';
import { promisedMessages, standingMessages } from './standing-messages.ts';

const RUNS = runs(3, 40);
const EVENTS: readonly ScenarioKind[] = ['goesLive', 'stays', 'ends'];

describe('the preview of a rule', () => {
  let stage: PreviewStage;
  beforeAll(async () => {
    stage = await openPreviewStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test('shows the answers, edits and deletions until a stream ends', async () => {
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(story, async (one) => {
        stage.goLive(one.title);
        const rule = stage.load(storySource(one, `s${(cases += 1)}`, stage.files));
        fc.pre(rule !== undefined);

        const view = await stage.preview(rule);
        const before = await recordsBy(stage.sandbox);
        await using running = await stage.start(rule);
        for (const [index, kind] of EVENTS.entries()) {
          if (kind === 'ends') stage.endStream();
          const { steps } = doneBy(await running.poll(), {});
          const messages = standingMessages(before, await recordsBy(stage.sandbox));

          expect({ kind, steps, messages }).toEqual({
            kind,
            steps: promisedBy(view, kind).steps,
            messages: promisedMessages(view, EVENTS.slice(0, index + 1)),
          });
        }
      }),
      { numRuns: RUNS },
    );
  });
});
