import { expect, test } from 'vitest';
import { PreviewAnswer } from '#src/admin/queries/action-answers.ts';
import { toPreviewAnswer } from '#src/admin/queries/to-answers.ts';
import type { PreviewView } from '#src/engine/simulation/preview/preview-view.ts';
import { rulesOf } from '../../support/rule-language.ts';

const [rule] = rulesOf(`id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.addRole, with: { user: ada, role: Live } }]`);

test('the answer has everything that the command line prints about a message', () => {
  if (!rule) throw new Error('there is no rule');
  const omission = { parameter: 'mention', index: 1, message: 'there is no role fans' };
  const view: PreviewView = {
    rule,
    read: { count: 0, counted: 0, isSample: true, unknownUsers: [{ account: 'twitch', user: 'adda' }], excluded: [] },
    scenarios: [
      {
        kind: 'goesLive',
        steps: [
          {
            name: 'step 1',
            position: { section: 'then', number: 1 },
            do: 'discord.addRole',
            account: 'discord',
            reads: false,
            remarks: [
              { kind: 'cut', detail: 'text was 400 of 300' },
              { kind: 'target', error: 'there is no channel lve' },
              { kind: 'file', path: '/a/b.png', error: 'it does not exist' },
              { kind: 'without', omission, fails: false },
              { kind: 'without', omission: { parameter: 'poll', message: 'no polls' }, fails: true },
            ],
            messages: [
              {
                text: 'a \\*star\\*',
                isMarkdown: true,
                embeds: [],
                buttons: [],
                others: [['role', 'Live']],
                target: { kind: 'channel', channel: 'live', name: 'board' },
                lengths: [{ path: 'text', length: 6, most: 2000 }],
                onlyText: ['@linus'],
              },
            ],
          },
        ],
      },
    ],
  };

  const answer = PreviewAnswer.parse(toPreviewAnswer(view));

  expect(answer.sample).toEqual({ of: 'item', ignoresIf: false });
  expect(answer.read?.unknownUsers).toEqual([{ account: 'twitch', user: 'adda' }]);
  expect(answer.scenarios[0]?.steps).toMatchObject([
    {
      position: { section: 'then', number: 1 },
      remarks: [
        'cut: text was 400 of 300',
        'problem in Discord: there is no channel lve',
        'the file /a/b.png cannot be sent: it does not exist',
        'sent without mention 2: there is no role fans',
        'fails without poll: no polls',
      ],
      remarkReasons: view.scenarios[0]?.steps[0]?.remarks,
      reads: false,
      messages: [
        {
          channel: 'live',
          message: 'board',
          lines: ['a *star*', 'role: Live'],
          lengths: [{ path: 'text', length: 6, most: 2000 }],
          onlyText: ['@linus'],
        },
      ],
    },
  ]);
});
