import type { AutocompleteInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { suggested } from '../controls/choose-rule.ts';
import type { Controls } from '../controls/controls.ts';
import { rulesForm } from '../controls/rules-form.ts';
import { rulePresses } from '../controls/rule-presses.ts';
import { ruleTasks } from '../controls/rule-tasks.ts';
import { runQuestions } from '../controls/run-card.ts';
import { pressed } from '../controls/tell.ts';
import { en } from '../language/en/index.ts';
import { oneLine } from '../text/foreign-text.ts';
import type { SlashCommand, Suggestion } from './command.ts';

export interface RulesOptions {
  readonly controls: Controls;
  readonly clock: Clock;
}

const LONGEST_REASON = 100;
const { options: NAMES, pause: PAUSE, resume: RESUME } = en.controls;

/** `/rules`: what operators see of the rules, and do with them. */
export function rulesCommand({ controls, clock }: RulesOptions): SlashCommand {
  const questions = runQuestions();
  const tasks = ruleTasks({ controls, questions, clock });
  const presses = rulePresses({ controls, questions, clock });

  async function suggest(interaction: AutocompleteInteraction, { words: { reasons } }: Asker): Promise<readonly Suggestion[]> {
    const { name, value } = interaction.options.getFocused(true);
    if (name === NAMES.item.name) {
      const rule = interaction.options.getString(NAMES.rule.name) ?? '';
      const wanted = value.toLowerCase();
      // A key may be a number, which tells nobody anything; the reason begins with the name.
      const items = (await controls.items(rule)).map((item) => ({ key: item.key, said: reasons.decided(item) }));
      const fitting = items.filter(({ key, said }) => `${key} ${said}`.toLowerCase().includes(wanted));
      return fitting.map(({ key, said }) => ({ name: oneLine(said, LONGEST_REASON), value: key }));
    }
    const known = await controls.rules();
    const subcommand = interaction.options.getSubcommand(false);
    if (subcommand === PAUSE.name)
      return suggested(
        value,
        known.filter(({ on, paused }) => on && !paused),
      );
    return suggested(value, subcommand === RESUME.name ? known.filter(({ paused }) => paused) : known);
  }

  return {
    needs: 'operate',
    data: rulesForm(),
    suggest,
    run: async (interaction, asker) => (tasks.get(interaction.options.getSubcommand()) ?? gone(asker))(interaction, asker),
    press: async (interaction, [name = '', ...parts], asker) =>
      (presses.get(name) ?? gone(asker))(pressed(interaction, asker), parts, asker),
  };
}

function gone({ words }: Asker): never {
  throw new UserError(words.errors.gone);
}
