import { formatStepReason } from '#src/rules/messages/format-step-reason.ts';
import { formatSuppression } from '#src/rules/messages/format-suppression.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Reason, Suppression } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import { code, page, table } from '../markdown.ts';
import { DECISION_REASONS } from './decision-reasons.ts';
import type { ReasonEntry } from './entry.ts';
import { GATE_REASONS } from './gate-reasons.ts';
import { STEP_REASONS } from './step-reasons.ts';

const WHERE = [
  'Fanfare stores a reason for every decision and every skipped step.',
  '`fanfare explain <rule>`, `fanfare explain --item <name>`, the page and "Why this message?" in Discord show the messages.',
  'The HTTP API has the message in `message` and the data in `reason`. The first column is the `kind` of the reason.',
].join(' ');

/** The page of all reasons. */
export function reasonsPage(): string {
  return page(
    { title: 'Reasons', order: 25 },
    'Every reason why something was or was not announced, with its message and what you can do.',
    WHERE,
    '## Decisions',
    'A decision is about one item of a poll, or about a whole poll.',
    reasonTable<Reason>(DECISION_REASONS, (reason) => withMessage(reason).message),
    '## Gates',
    'A gate blocks a firing that would be announced otherwise. Its message follows `not announced:` or `deferred:` in the message of a decision.',
    reasonTable<Suppression>(GATE_REASONS, formatSuppression),
    '## Skipped steps',
    'A firing happened, but this step of it was not sent.',
    reasonTable<StepReason>(STEP_REASONS, formatStepReason),
  );
}

function reasonTable<R>(entries: Readonly<Record<string, ReasonEntry<R>>>, messageOf: (reason: R) => string): string {
  return table(
    ['kind', 'message', 'meaning', 'what to do'],
    Object.entries(entries).map(([kind, { examples, meaning, action }]) => [
      code(kind),
      examples.map((example) => code(messageOf(example))).join('<br>'),
      meaning,
      action,
    ]),
  );
}
