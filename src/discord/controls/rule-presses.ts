import type { MessageComponentInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import type { Reader } from '../cards/card.ts';
import { replyPrivately, type Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { pageIn } from './buttons.ts';
import { ruleNamed } from './choose-rule.ts';
import { previewCard } from './preview-card.ts';
import { reasonsCard } from './reasons-card.ts';
import { ruleButtons, ruleCard } from './rule-card.ts';
import { ruleList } from './rule-list.ts';
import type { RuleTasksOptions } from './rule-tasks.ts';
import { runCard } from './run-card.ts';
import { namedBy } from './short-name.ts';
import { turn } from './tell.ts';
import { pauseRules, resumeRules } from './turn-rule.ts';

const PREVIEWED = 2;

type Press = (interaction: MessageComponentInteraction, parts: readonly string[], asker: Asker) => Promise<void>;

/** What each button of `/rules` does, by the second part of its custom id. */
export function rulePresses({ controls, questions, clock }: RuleTasksOptions): ReadonlyMap<string, Press> {
  async function card(short: string, asker: Asker, reader: Reader): Promise<Reply> {
    const { id } = await ruleNamed(short, { controls, words: asker.words });
    const explanation = await controls.explain(id);
    if (!explanation) throw new UserError(asker.words.controls.errors.noRule(escaped(id, 100)));
    return ruleCard(explanation, reader);
  }

  /** Pauses or resumes; the card is shown again, below anything else it is told. */
  function change(how: typeof pauseRules, isPaused: boolean): Press {
    return async (interaction, [short = '', at], asker) => {
      const { words } = asker;
      const { id, on } = await ruleNamed(short, { controls, words });
      const content = await how([id], { controls, asker, words });
      if (at === 'card') await turn(interaction, asker, { make: (reader) => card(short, asker, reader), clock });
      else {
        const answer = { content, components: ruleButtons({ id, isPaused, isOn: on }, asker, 'answer') };
        await replyPrivately(interaction, Promise.resolve(answer), clock);
      }
    };
  }

  async function reasons([short = '', cursor = '', shortItem = '']: readonly string[], asker: Asker, reader: Reader): Promise<Reply> {
    const { id: rule } = await ruleNamed(short, { controls, words: asker.words });
    const item =
      shortItem === ''
        ? undefined
        : namedBy(
            shortItem,
            (await controls.items(rule)).map(({ key }) => key),
          );
    if (shortItem !== '' && item === undefined) throw new UserError(asker.words.errors.gone);
    return reasonsCard(controls, { rule, item, cursor: cursor === '' ? undefined : cursor }, reader);
  }

  return new Map<string, Press>([
    [
      'list',
      (interaction, [page], asker) => turn(interaction, asker, { make: (reader) => ruleList(controls, pageIn(page), reader), clock }),
    ],
    ['show', (interaction, [short = ''], asker) => replyPrivately(interaction, card(short, asker, asker), clock)],
    [
      'why',
      async (interaction, parts, asker) => {
        // Without a place in the list it is the button of a card, which stays.
        if (parts.length === 1) await replyPrivately(interaction, reasons(parts, asker, asker), clock);
        else await turn(interaction, asker, { make: (reader) => reasons(parts, asker, reader), clock });
      },
    ],
    [
      'preview',
      async (interaction, [short = ''], asker) => {
        const { id } = await ruleNamed(short, { controls, words: asker.words });
        const made = controls.preview(id, PREVIEWED).then((view) => {
          if (!view) throw new UserError(asker.words.controls.errors.noRule(escaped(id, 100)));
          return previewCard(view, asker);
        });
        await replyPrivately(interaction, made, clock);
      },
    ],
    ['pause', change(pauseRules, true)],
    ['resume', change(resumeRules, false)],
    [
      'run',
      async (interaction, [question = ''], asker) => {
        const rule = questions.take(question, asker.words);
        await interaction.update({ content: asker.words.controls.running.at, components: [] });
        await interaction.editReply(await runCard(controls, rule, asker, asker.signal));
      },
    ],
    [
      'leave',
      async (interaction, [question = ''], asker) => {
        questions.take(question, asker.words);
        await turn(interaction, asker, {
          make: () => Promise.resolve({ content: asker.words.controls.running.left, components: [] }),
          clock,
        });
      },
    ],
  ]);
}
