import { asksPeople, ignoredKeys } from '#src/engine/simulation/assumptions.ts';
import type { z } from 'zod';
import { DecisionAnswer, DeliveryAnswer, documented } from './answers.ts';
import { toDeliveryView } from './deliveries.ts';
import { toDecisionView } from './rule-view.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { messageLines, remarkText, sampleOf } from '#src/engine/simulation/preview/message-lines.ts';
import type { PreviewView, ScenarioView, StepView } from '#src/engine/simulation/preview/preview-view.ts';
import type { TestRun } from '#src/engine/simulation/rule-files.ts';
import type { PreviewAnswer, RequestedAnnouncementAnswer, RuleRunAnswer, RuleTestAnswer } from './action-answers.ts';
import type { RequestedAnnouncement, RuleRun } from '../actions/rule-actions.ts';

/** A delivery that an action changed. */
export function toDeliveryAnswer(delivery: Delivery): z.output<typeof DeliveryAnswer> {
  return documented(DeliveryAnswer, toDeliveryView(delivery));
}

export function toRunAnswer({ decisions, firings }: RuleRun): z.output<typeof RuleRunAnswer> {
  return { decisions: decisions.map((decision) => documented(DecisionAnswer, toDecisionView(decision))), firings: firings.length };
}

/** What the request for an announcement did. */
export function toRequestedAnswer({ outcome, decision }: RequestedAnnouncement): z.output<typeof RequestedAnnouncementAnswer> {
  return { outcome, decision: decision && documented(DecisionAnswer, toDecisionView(decision)) };
}

/** The results of tests. */
export function toTestAnswer({ cases, untested, simulatedAccounts, diagnostics }: TestRun): z.output<typeof RuleTestAnswer> {
  return {
    passed: cases.every(({ passed }) => passed) && !diagnostics.some(({ severity }) => severity === 'error'),
    cases: cases.map(({ rule, passed, print }) => ({ rule, passed, text: print({ color: false }) })),
    untested,
    simulatedAccounts,
    diagnostics,
  };
}

/** The preview of a rule. */
export function toPreviewAnswer(view: PreviewView): z.output<typeof PreviewAnswer> {
  const { rule, read, scenarios } = view;
  return {
    rule: rule.id,
    sample: sampleOf(view),
    ignores: ignoredKeys(rule),
    answersFirst: asksPeople(rule),
    ...(read && {
      read: {
        failure: read.failure,
        fault: read.fault,
        partlyFailed: read.partlyFailed?.message,
        partlyFailedReason: read.partlyFailed?.reason,
        count: read.count,
        counted: read.counted,
        isSample: read.isSample,
        unknownUsers: read.unknownUsers ?? [],
        excluded: read.excluded.map(({ name, message, reason }) => ({ name, message, reason })),
      },
    }),
    scenarios: scenarios.map(toScenario),
  };
}

function toScenario({ kind, name, suppression, steps }: ScenarioView): z.output<typeof PreviewAnswer>['scenarios'][number] {
  return { kind, name, suppression: suppression?.message, suppressionReason: suppression?.reason, steps: steps.map(toStep) };
}

function toStep({ name, position, do: verb, account, after, notRun, reads, remarks, messages }: StepView) {
  return {
    name,
    position,
    do: verb,
    account,
    afterMs: after?.ms,
    notRun: notRun?.message,
    notRunReason: notRun?.reason,
    reads,
    remarks: remarks.map(remarkText),
    remarkReasons: remarks,
    messages: messages.map((message) => {
      const { text, target, embeds, buttons, lengths, pings, onlyText } = message;
      const to = target?.kind === 'channel' ? { channel: target.channel, message: target.name } : { message: target?.message };
      return { text, ...to, embed: embeds[0], embeds, buttons, lines: messageLines(message), lengths, pings, onlyText };
    }),
  };
}
