import { z } from 'zod';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { NotBeyond } from '#src/engine/simulation/preview/not-beyond.ts';
import type { StepRemark } from '#src/engine/simulation/preview/preview-view.ts';
import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { PartlyFailed, Reason } from '#src/rules/reasons/reason.ts';
import { DecisionAnswer, jsonObject, reasonOf, RulesVersionAnswer, StepPositionAnswer } from './answers.ts';
import { DiagnosticAnswer } from './diagnostic-answer.ts';
import { PlanLineAnswer } from './plan-line-answer.ts';

const instant = (about: string) => z.date().describe(about);
const count = z.int().min(0);

/** An entry of the log of actions. */
export const ActionAnswer = z
  .object({
    id: z.string().describe('The id of the entry.'),
    at: instant('When the action began.'),
    action: z.string().describe('The name of the action, for example `pauseRule`.'),
    by: z
      .object({
        name: z.string().describe('The name of the person or the token.'),
        via: z.enum(['discord', 'cli', 'api', 'page']).describe('Where the person acted.'),
        id: z.string().optional().describe('The id of the person or the token.'),
        origin: z.string().optional().describe('The Discord server, or for admins the address of the request.'),
      })
      .describe('Who acted.'),
    target: z.string().describe('The rule, the delivery, the account or the version.'),
    outcome: z
      .enum(['started', 'done', 'unchanged', 'refused', 'failed'])
      .describe('How it ended. `started`: the process or its database ended before the action did. `unchanged`: there was nothing to do.'),
    before: jsonObject.optional().describe('The changed values before the action.'),
    after: jsonObject.optional().describe('The changed values after the action, or why it was refused or failed.'),
  })
  .meta({
    examples: [
      {
        id: 'b6a1b1f0-5f1c-4b0f-9a53-0d3b1f5c9a11',
        at: '2026-11-20T18:00:00.000Z',
        action: 'pauseRule',
        by: { name: 'local', via: 'api' },
        target: 'valorant-top',
        outcome: 'done',
        before: { 'valorant-top': null },
        after: { 'valorant-top': { by: 'local (API)', at: '2026-11-20T18:00:00.000Z' } },
      },
    ],
  });

/** What pausing or resuming did. */
export const ChangedRules = z
  .object({
    rules: z.array(z.string()).readonly().describe('The ids of the rule, or of all its instances.'),
    changed: z.array(z.string()).readonly().describe('The ids that changed. The others were paused, or were running, before.'),
  })
  .meta({ examples: [{ rules: ['valorant-top'], changed: ['valorant-top'] }] });

/** What a run decided. */
export const RuleRunAnswer = z
  .object({
    decisions: z.array(DecisionAnswer).readonly().describe('The decisions.'),
    firings: count.describe('The number of announcements, each with its deliveries.'),
  })
  .meta({ examples: [{ decisions: [], firings: 0 }] });

const storedValue = z.union([z.number(), z.boolean(), z.string(), z.array(z.string()).readonly()]);

/** A stored value that a person set. */
export const RuleValueAnswer = z
  .object({
    rule: z.string().describe('The id of the rule.'),
    name: z.string().describe('The name of the value in `keep`.'),
    value: storedValue.describe('The value.'),
    before: storedValue.describe('The value before.'),
  })
  .meta({ examples: [{ rule: 'donations', name: 'total', value: 45, before: 40 }] });

/** What the request for an announcement did. */
export const RequestedAnnouncementAnswer = z
  .object({
    outcome: z
      .enum(['announced', 'alreadyAnnounced', 'notLive', 'suppressed', 'deferred', 'failed'])
      .describe('What was done. A suppressed or deferred announcement, and a failed poll, have the decision of the rule.'),
    decision: DecisionAnswer.optional().describe('What the rule decided.'),
  })
  .meta({ examples: [{ outcome: 'alreadyAnnounced' }] });

/** What the tests of a rule file found. */
export const RuleTestAnswer = z
  .object({
    passed: z.boolean().describe('Whether no case failed, and no file has errors.'),
    cases: z
      .array(
        z.object({
          rule: z.string().describe('The name of the rule.'),
          passed: z.boolean().describe('Whether the rule did what the test expects.'),
          text: z.string().describe('The case and its differences as text.'),
        }),
      )
      .readonly()
      .describe('The cases of all rules in the file.'),
    untested: z.array(z.string()).readonly().describe('The rules without a test.'),
    simulatedAccounts: z.array(z.string()).readonly().describe('The accounts of the rules that are not connected.'),
    diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the test file.'),
  })
  .meta({ examples: [{ passed: true, cases: [], untested: ['valorant-top'], simulatedAccounts: [], diagnostics: [] }] });

/** A publication of the rules. */
export const PublicationAnswer = z
  .object({
    version: RulesVersionAnswer.describe('The version in force.'),
    isNew: z.boolean().describe('False: the version in force has the same files, so nothing was published.'),
    changes: z.array(PlanLineAnswer).readonly().describe('What the publication changed.'),
  })
  .meta({
    examples: [
      {
        version: { number: 4, publishedAt: '2026-11-20T17:45:00.000Z', by: 'ci' },
        isNew: true,
        changes: [{ kind: 'new', text: 'raid', rule: 'raid' }],
      },
    ],
  });

const reason = z.string().optional();

/** The messages that a rule would send. */
export const PreviewAnswer = z
  .object({
    rule: z.string().describe('The id of the rule.'),
    sample: z
      .object({
        of: z.enum(['item', 'payload']).describe('`item`: the list is empty. `payload`: a webhook starts the rule.'),
        ignoresIf: z.boolean().describe('Whether the preview ignores `if` of the rule, because a sample seldom fulfills it.'),
      })
      .optional()
      .describe('What the preview uses instead of real data; absent: it uses the items of the poll.'),
    ignores: z
      .array(z.string())
      .readonly()
      .describe('The keys of the rule that the preview ignores, for example `quiet`: a message can come later, or not at all.'),
    answersFirst: z.boolean().describe('Whether the rule asks people. The preview answers each question with its first choice.'),
    read: z
      .object({
        failure: z.string().optional().describe('Why the poll failed.'),
        fault: z.string().optional().describe('The kind of the error, for example `unreachable`.'),
        partlyFailed: reason.describe('What was not read, if a part of the poll failed.'),
        partlyFailedReason: reasonOf<PartlyFailed>('`partlyFailed` as data.'),
        count: count.describe('The number of items.'),
        counted: count.describe('The number of items after `where` and `take`.'),
        isSample: z.boolean().describe('Whether the list is empty, so that the preview uses a sample item.'),
        unknownUsers: z
          .array(z.object({ account: z.string().describe('The account.'), user: z.string().describe('The name in the rule.') }))
          .readonly()
          .describe('The users in the rule that their platform does not have.'),
        excluded: z
          .array(
            z.object({
              name: z.string().describe('The item.'),
              message: z.string().describe('Why it is excluded.'),
              reason: reasonOf<Falsehood>('`message` as data.'),
            }),
          )
          .readonly()
          .describe('Examples of items that `where` excludes.'),
      })
      .optional()
      .describe('The poll; absent if the rule watches nothing.'),
    scenarios: z
      .array(
        z.object({
          kind: z.string().describe('What happens, for example `enters`.'),
          name: z.string().optional().describe('The name of the item.'),
          suppression: reason.describe('Why the rule would run no step.'),
          suppressionReason: reasonOf<Reason | NotBeyond>('`suppression` as data: its `kind` and its values.'),
          steps: z
            .array(
              z.object({
                name: z.string().describe('The id of the step, or its position.'),
                position: StepPositionAnswer.describe('`name` as data.'),
                do: z.string().describe('The operation.'),
                account: z.string().describe('The account.'),
                afterMs: count.optional().describe('The delay after the announcement.'),
                notRun: reason.describe('Why the step is skipped or fails.'),
                notRunReason: reasonOf<DeliveryReason>('`notRun` as data: its `kind` and its values.'),
                reads: z.boolean().describe('Whether the step only reads. The preview ran it.'),
                remarks: z
                  .array(z.string())
                  .readonly()
                  .describe(
                    'Text that is shortened, mentions of all members that are left out, a channel or role that cannot be used, and parts or files that cannot be sent.',
                  ),
                remarkReasons: z
                  .array(z.custom<StepRemark>().meta({ type: 'object', additionalProperties: true }))
                  .readonly()
                  .describe('`remarks` as data, in the same order.'),
                messages: z
                  .array(
                    z.object({
                      text: z.string().optional().describe('The text.'),
                      channel: z.string().optional().describe('The channel.'),
                      message: z.string().optional().describe('The message that the step edits, or the name of a standing message.'),
                      embed: jsonObject.optional().describe('The first embed.'),
                      embeds: z.array(jsonObject).readonly().describe('The embeds. A layout is shown as one.'),
                      buttons: z.array(z.string()).readonly().describe('The labels of the buttons.'),
                      lines: z
                        .array(z.string())
                        .readonly()
                        .describe('The message as its readers see it, with the other parameters of the call, line by line.'),
                      lengths: z
                        .array(
                          z.object({
                            path: z.string().describe('The parameter of the text, for example `text`.'),
                            length: count.describe('Its length, as the platform counts it.'),
                            most: count.optional().describe('The limit of the platform; absent if it has none.'),
                          }),
                        )
                        .readonly()
                        .describe('The lengths of the visible texts.'),
                      pings: z.array(z.string()).readonly().optional().describe('The people and roles that it pings.'),
                      onlyText: z
                        .array(z.string())
                        .readonly()
                        .optional()
                        .describe('Names in the text that do not notify anyone on the platform.'),
                    }),
                  )
                  .readonly()
                  .describe('The messages, posts or calls.'),
              }),
            )
            .readonly()
            .describe('The steps that the rule would run.'),
        }),
      )
      .readonly()
      .describe('Each event with its steps.'),
  })
  .meta({
    examples: [
      {
        rule: 'valorant-top',
        ignores: ['cooldown'],
        answersFirst: false,
        read: { count: 20, counted: 5, isSample: false, unknownUsers: [], excluded: [] },
        scenarios: [
          {
            kind: 'enters',
            name: 'Ada',
            steps: [
              {
                name: 'post',
                position: { id: 'post', section: 'then', number: 1 },
                do: 'social.createPost',
                account: 'mastodon',
                reads: false,
                remarks: [],
                remarkReasons: [],
                messages: [
                  {
                    text: 'Ada is now #2 in VALORANT with 12.3K viewers',
                    embeds: [],
                    buttons: [],
                    lines: ['Ada is now #2 in VALORANT with 12.3K viewers'],
                    lengths: [{ path: 'text', length: 44, most: 500 }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
