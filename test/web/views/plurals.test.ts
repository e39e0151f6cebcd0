import { expect, test } from 'vitest';
import { DEMO_TEXTS } from '#src/web/demo/texts.ts';
import { OVERVIEW_TEXTS } from '#src/web/views/texts/overview.ts';
import { REPLAY_TEXTS } from '#src/web/views/texts/replay.ts';
import { RULES_TEXTS } from '#src/web/views/texts/rules.ts';
import { SANDBOX_TEXTS } from '#src/web/views/texts/sandbox.ts';
import { TRIAL_TEXTS } from '#src/web/views/texts/trial.ts';

test.for([
  ['1 viewer', OVERVIEW_TEXTS.en.viewers('1')],
  ['0 viewers', OVERVIEW_TEXTS.en.viewers('0')],
  ['1 wartet', OVERVIEW_TEXTS.de.waiting('1')],
  ['0 warten', OVERVIEW_TEXTS.de.waiting('0')],
  ['1 viewer', SANDBOX_TEXTS.en.viewers('1')],
  ['1 rule', RULES_TEXTS.en.found(1, 1)],
  ['1 Regel', RULES_TEXTS.de.found(1, 1)],
  ['1 of 2 rules', RULES_TEXTS.en.found(1, 2)],
  [' viewer', DEMO_TEXTS.en.viewers(1)],
  [' viewers', DEMO_TEXTS.en.viewers(1000)],
  ['1 recorded poll:', REPLAY_TEXTS.en.polls(1)],
  ['2 recorded polls:', REPLAY_TEXTS.en.polls(2)],
  ['1 aufgezeichnete Abfrage:', REPLAY_TEXTS.de.polls(1)],
  ['The poll has 1 item, of which the rule counts 1.', TRIAL_TEXTS.en.read(1, 1)],
  ['Die Abfrage hat 1 Eintrag, die Regel zählt 1 davon.', TRIAL_TEXTS.de.read(1, 1)],
] as const)('%s', ([expected, text]) => {
  expect(text).toBe(expected);
});
