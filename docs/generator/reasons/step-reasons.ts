import type { StepReason } from '#src/rules/reasons/step-reason.ts';
import type { ReasonEntry } from './entry.ts';

type OfKind<K extends StepReason['kind']> = StepReason & { readonly kind: K };

const BELOW = {
  kind: 'false',
  clauses: [{ source: 'item.viewerCount >= 1000', values: [{ expression: 'item.viewerCount', value: '740' }] }],
} as const;

/** The reasons why a step of a firing is skipped. */
export const STEP_REASONS: { readonly [K in StepReason['kind']]: ReasonEntry<OfKind<K>> } = {
  stepIf: {
    examples: [{ kind: 'stepIf', condition: BELOW }],
    meaning: 'The `if` of the step is false, or its evaluation failed.',
    action: 'Change the `if` of the step.',
  },
  emptyList: {
    examples: [{ kind: 'emptyList', source: 'item.tags' }],
    meaning: 'The list of `forEach` has no elements.',
    action: 'Nothing.',
  },
  allElementsSkipped: {
    examples: [{ kind: 'allElementsSkipped' }],
    meaning: 'The step was skipped for every element of `forEach`.',
    action: 'See the reasons of the elements.',
  },
  emptyParameter: {
    examples: [{ kind: 'emptyParameter', parameter: 'message', template: '${{ steps.card.id }}' }],
    meaning: 'A required parameter is empty. Usually it reads the result of a step that was not sent.',
    action: 'Look at the earlier step in the delivery. To use another text then, write `either(…, "…")`.',
  },
  emptyMessage: {
    examples: [{ kind: 'emptyMessage', issue: 'there is nothing to send: give content, embed, embeds, layout or files' }],
    meaning: 'All texts of the step are empty.',
    action: 'Add a text that is never empty, or an `if`.',
  },
  tooLate: {
    examples: [{ kind: 'tooLate', untilMs: 1_795_197_600_000 }],
    meaning:
      'The step could not begin before its `maxAge` ended, for example because the platform was down. The time in which it waited for the result of another step does not count.',
    action: 'Make the `maxAge` of the step longer.',
  },
  earlierStepFailed: {
    examples: [{ kind: 'earlierStepFailed', step: 'card', account: 'discord' }],
    meaning: 'An earlier step failed, and it has `onError: stop`.',
    action: 'Solve the failure of that step.',
  },
  recordGone: {
    examples: [{ kind: 'recordGone', step: 'still', account: 'mastodon' }],
    meaning: 'The text of the step reads the record of a look-up, and the platform answered that it does not have this record.',
    action: 'To send the step anyway, read `steps.<id>.gone` in its `if`.',
  },
  lookUpFailed: {
    examples: [{ kind: 'lookUpFailed', step: 'vods', account: 'twitch' }],
    meaning: 'The text of the step reads the result of a look-up that failed.',
    action: 'To send the step without the result, write `onError: continue` at the look-up.',
  },
  unsupported: {
    examples: [{ kind: 'unsupported', account: 'kick', do: 'streaming.getUserVideos' }],
    meaning: 'The look-up has `as: "${{ item.account }}"`, and the platform of the item does not support it. Its result is empty.',
    action: 'Nothing.',
  },
  sameText: {
    examples: [{ kind: 'sameText' }],
    meaning: 'The text is equal to the text that was sent last, so no edit is necessary.',
    action: 'Nothing.',
  },
  newerPoll: {
    examples: [{ kind: 'newerPoll' }],
    meaning: 'A newer poll has a newer text for the same message. Only the newest is sent.',
    action: 'Nothing.',
  },
  episodeEnded: {
    examples: [{ kind: 'episodeEnded' }],
    meaning: 'The episode ended before the step of `while` was sent. `finally` follows.',
    action: 'Nothing.',
  },
  itemReturned: {
    examples: [{ kind: 'itemReturned' }],
    meaning: 'The item returned before `finally` was sent.',
    action: 'Nothing.',
  },
  replaced: {
    examples: [{ kind: 'replaced' }],
    meaning: 'With `mode: restart`: a newer firing of the item replaced this one.',
    action: 'To send both, use `mode: queued`.',
  },
  endedByEdit: {
    examples: [{ kind: 'endedByEdit' }],
    meaning: 'The episode ended only because an edit removed its item from the list. Steps of `finally` that create something do not run.',
    action: 'Nothing.',
  },
  removedFromEach: {
    examples: [{ kind: 'removedFromEach' }],
    meaning: 'The value of the episode was removed from `each`.',
    action: 'Nothing.',
  },
  widerAudience: {
    examples: [{ kind: 'widerAudience', restriction: 'direct' }],
    meaning: 'The step is made from a record that not everyone can read, and more people could read the step. It is not sent.',
    action: 'Answer the record with `replyTo`. If its author agrees, add `audience: public` to the step.',
  },
  previousPartNotSent: {
    examples: [{ kind: 'previousPartNotSent' }],
    meaning: 'An earlier part of the thread was not sent, so this part has nothing to reply to.',
    action: 'Solve the failure of the earlier part.',
  },
  previousPartUnknown: {
    examples: [{ kind: 'previousPartUnknown' }],
    meaning: 'It is unknown whether an earlier part of the thread was sent.',
    action: 'Decide with `fanfare resolve <delivery> sent` or `again`.',
  },
  unanswered: {
    examples: [{ kind: 'unanswered' }],
    meaning: 'No one answered the question in time.',
    action: 'Make `answerWithin` of the question longer. Without this key, the time is its `maxAge`.',
  },
};
