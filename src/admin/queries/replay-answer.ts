import { z } from 'zod';
import type { ReplayEvent, ReplayRun } from '#src/engine/simulation/replay/replay-view.ts';
import { stepName } from '#src/rules/step-name.ts';
import { StepPositionAnswer } from './answers.ts';
import { DiagnosticAnswer } from './diagnostic-answer.ts';

const lines = z.array(z.string()).readonly().optional();
const count = z.int().min(0);

const KINDS = ['same', 'other', 'more', 'fewer', 'early'] as const;

/** What rules would have announced for their recorded polls, beside what was sent. */
export const ReplayAnswer = z
  .object({
    replays: z
      .array(
        z.object({
          rule: z.string().describe('The id of the instance.'),
          timezone: z.string().describe('The time zone of the rule.'),
          since: z.date().describe('The start of the period.'),
          slots: z
            .object({
              count: count.describe('The number of recorded polls.'),
              first: z.date().describe('The first poll.'),
              last: z.date().describe('The last poll.'),
              isWarm: z.boolean().describe('Whether the replay knows the list before the first poll.'),
            })
            .optional()
            .describe('The recorded polls; absent if there are none.'),
          endedAt: z.date().optional().describe('The last poll, if the replay ended early because of its limit of polls or of time.'),
          blown: z
            .object({ at: z.date().describe('When.'), most: z.string().describe('The limit, for example `30 in 1h`.') })
            .optional()
            .describe('When the rule would have been paused automatically.'),
          knownSince: z.date().optional().describe('The start of the history of the rule, if it is later than the first poll.'),
          startsEmpty: z
            .array(z.string())
            .readonly()
            .describe(
              'The keys of the rule that began empty in the replay, for example `keep`: the running rule had values from before the first poll.',
            ),
          missingNames: z.array(z.string()).readonly().describe('The names in the rule that no recorded poll contains.'),
          changedLists: z
            .array(z.string())
            .readonly()
            .describe(
              'The lists of the rule that people changed in the period. The replay uses their present entries for the whole period.',
            ),
          answersFirst: z
            .boolean()
            .describe('Whether the replay has questions. A question that was not asked then gets its first choice as the answer.'),
          paused: count.describe(
            'The number of announcements that a pause or a mute prevented or delayed. The replay ignores both, so it announces them at their time.',
          ),
          pausedIsMinimum: z.boolean().describe('Whether `paused` may be too small. Fanfare stores only the latest decisions of a rule.'),
          failed: count.describe(
            'The number of deliveries that failed then. One with the same content fails in the replay too, and is not in `events`.',
          ),
          counts: z
            .object({
              same: count.describe('Messages with the same text.'),
              other: count.describe('Messages with another text, channel or mention.'),
              more: count.describe('Messages that are sent only now.'),
              fewer: count.describe('Messages that were sent only then.'),
              early: count.describe('Messages before the history of the rule.'),
            })
            .describe('The number of messages of each kind.'),
          events: z
            .array(
              z.object({
                kind: z
                  .enum(KINDS)
                  .describe(
                    '`other`: another text, channel or mention. `more`: only now. `fewer`: only then. `early`: before the history of the rule.',
                  ),
                at: z.date().describe('When.'),
                actualAt: z.date().optional().describe('When it was decided then, if the kind is `same` or `other`.'),
                about: z.string().describe('The item.'),
                step: z.string().describe('The id of the step, or its position.'),
                position: StepPositionAnswer.describe('`step` as data.'),
                do: z.string().describe('The operation.'),
                account: z.string().describe('The account.'),
                expected: lines.describe('The text now, line by line.'),
                actual: lines.describe('The text then, line by line.'),
                failure: z.string().optional().describe('Why the step would fail.'),
              }),
            )
            .readonly()
            .describe('The messages. The HTTP API leaves out messages after the 200th; those with a difference come first.'),
          edits: z
            .object({ expected: count.describe('Now.'), actual: count.describe('Then, without replaced edits, which Fanfare deletes.') })
            .describe('The numbers of edits of open cards.'),
        }),
      )
      .readonly()
      .describe('The instances of the rule.'),
    diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the rule files or of the text.'),
  })
  .meta({
    examples: [
      {
        replays: [
          {
            rule: 'valorant-top',
            timezone: 'UTC',
            since: '2026-11-19T18:00:00.000Z',
            slots: { count: 8_640, first: '2026-11-19T18:00:08.000Z', last: '2026-11-20T17:59:58.000Z', isWarm: true },
            startsEmpty: [],
            missingNames: [],
            changedLists: [],
            answersFirst: false,
            paused: 0,
            pausedIsMinimum: false,
            failed: 0,
            counts: { same: 0, other: 1, more: 0, fewer: 0, early: 0 },
            events: [
              {
                kind: 'other',
                at: '2026-11-20T17:59:08.000Z',
                actualAt: '2026-11-20T17:59:08.000Z',
                about: 'Ada',
                step: 'post',
                position: { id: 'post', section: 'then', number: 1 },
                do: 'social.createPost',
                account: 'mastodon',
                expected: ['Ada is now second in VALORANT'],
                actual: ['Ada is now #2 in VALORANT'],
              },
            ],
            edits: { expected: 0, actual: 0 },
          },
        ],
        diagnostics: [],
      },
    ],
  });

/** Replays as data. `mostEvents`: the number of messages in each replay; messages with a difference are kept first. */
export function toReplayAnswer({ views, diagnostics }: ReplayRun, mostEvents = Infinity): z.output<typeof ReplayAnswer> {
  const replays = views.map(({ rule, events, ...view }) => ({
    ...view,
    rule: rule.id,
    counts: countsOf(events),
    events: atMost(events, mostEvents).map((event) => ({ ...event, step: stepName(event.position) })),
  }));
  return { replays, diagnostics };
}

function countsOf(events: readonly ReplayEvent[]) {
  const of = (kind: ReplayEvent['kind']): number => events.filter((event) => event.kind === kind).length;
  return { same: of('same'), other: of('other'), more: of('more'), fewer: of('fewer'), early: of('early') };
}

/** The first events with a difference, and as many equal ones as there is room for, in the order of time. */
function atMost(events: readonly ReplayEvent[], most: number): readonly ReplayEvent[] {
  if (events.length <= most) return events;
  const isEqual = ({ kind }: ReplayEvent): boolean => kind === 'same';
  const kept = new Set([...events.filter((event) => !isEqual(event)), ...events.filter(isEqual)].slice(0, most));
  return events.filter((event) => kept.has(event));
}
