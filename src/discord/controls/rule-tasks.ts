import type { ChatInputCommandInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { en } from '../language/en/index.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { itemMeant, ruleMeant, rulesMeant } from './choose-rule.ts';
import type { Controls } from './controls.ts';
import { previewCard } from './preview-card.ts';
import { reasonsCard } from './reasons-card.ts';
import { ruleButtons, ruleCard } from './rule-card.ts';
import { ruleList } from './rule-list.ts';
import { runQuestion, type RunQuestions } from './run-card.ts';
import { tell } from './tell.ts';
import { testCard } from './test-card.ts';
import { pauseRules, resumeRules } from './turn-rule.ts';

/** As many items a preview shows: a message has no room for more. */
const PREVIEWED = 2;

type Task = (interaction: ChatInputCommandInteraction, asker: Asker) => Promise<void>;

export interface RuleTasksOptions {
  readonly controls: Controls;
  readonly questions: RunQuestions;
  readonly clock: Clock;
}

const { list, show, why, pause, resume, run, preview, test, options: NAMES } = en.controls;

/** What each subcommand of `/rules` does. */
export function ruleTasks({ controls, questions, clock }: RuleTasksOptions): ReadonlyMap<string, Task> {
  const typedRule = ({ options }: ChatInputCommandInteraction): string => options.getString(NAMES.rule.name, true);
  const meant = async (interaction: ChatInputCommandInteraction, { words }: Asker): Promise<string> =>
    (await ruleMeant(typedRule(interaction), { controls, words })).id;

  /** A rule may have been deleted between the choice and the look. */
  const known = <T>(found: T | undefined, { words }: Asker, id: string): T => {
    if (found === undefined) throw new UserError(words.controls.errors.noRule(escaped(id, 100)));
    return found;
  };

  /** Of a rule with instances all of them are meant. */
  const turned = async (
    interaction: ChatInputCommandInteraction,
    asker: Asker,
    change: typeof pauseRules,
    isPaused: boolean,
  ): Promise<Reply> => {
    const { words } = asker;
    const rules = await rulesMeant(typedRule(interaction), { controls, words });
    const content = await change(
      rules.map(({ id }) => id),
      { controls, asker, words },
    );
    const [{ id, on }] = rules;
    return { content, components: rules.length === 1 ? ruleButtons({ id, isPaused, isOn: on }, asker, 'answer') : [] };
  };

  return new Map<string, Task>([
    [list.name, (interaction, asker) => tell(interaction, asker, { make: (reader) => ruleList(controls, 0, reader), clock })],
    [
      show.name,
      (interaction, asker) =>
        tell(interaction, asker, {
          make: async (reader) => {
            const id = await meant(interaction, asker);
            return ruleCard(known(await controls.explain(id), asker, id), reader);
          },
          clock,
        }),
    ],
    [
      why.name,
      (interaction, asker) =>
        tell(interaction, asker, {
          make: async (reader) => {
            const rule = await meant(interaction, asker);
            const typed = interaction.options.getString(NAMES.item.name)?.trim();
            const item = typed ? itemMeant(typed, await controls.items(rule)) : undefined;
            return reasonsCard(controls, { rule, item }, reader);
          },
          clock,
        }),
    ],
    [pause.name, (interaction, asker) => tell(interaction, asker, { make: () => turned(interaction, asker, pauseRules, true), clock })],
    [resume.name, (interaction, asker) => tell(interaction, asker, { make: () => turned(interaction, asker, resumeRules, false), clock })],
    [
      run.name,
      (interaction, asker) =>
        tell(interaction, asker, {
          make: async (reader) => {
            const id = await meant(interaction, asker);
            const explanation = known(await controls.explain(id), asker, id);
            if (!explanation.on) throw new UserError(asker.words.controls.errors.notOn(escaped(id, 100)));
            return runQuestion(explanation, questions.ask(id), reader);
          },
          clock,
        }),
    ],
    [
      preview.name,
      (interaction, asker) =>
        tell(interaction, asker, {
          make: async (reader) => {
            const id = await meant(interaction, asker);
            return previewCard(known(await controls.preview(id, PREVIEWED), asker, id), reader);
          },
          clock,
        }),
    ],
    [
      test.name,
      (interaction, asker) =>
        tell(interaction, asker, {
          make: async (reader) => {
            // The tests beside a file are those of all its instances.
            const [{ id, name }] = await rulesMeant(typedRule(interaction), { controls, words: asker.words });
            return testCard(name, known(await controls.test(id), asker, id), reader);
          },
          clock,
        }),
    ],
  ]);
}
