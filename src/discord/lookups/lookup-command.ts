import {
  SlashCommandBuilder,
  SlashCommandSubcommandBuilder,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import type { SlashCommand } from '../commands/command.ts';
import { en } from '../language/en/index.ts';
import { localized, titled } from '../language/languages.ts';
import type { Title, Words } from '../language/words.ts';
import { replyWith, updateWith, type Reply } from '../reply.ts';
import { buttonsFor } from './buttons.ts';
import { LAST_PAGE } from './pager.ts';
import { textOf, type References } from './references.ts';
import type { Field, Given, View } from './view.ts';

const LONGEST_ID = 100;
const LONGEST_OPTION = 200;

export interface LookupCommandOptions {
  readonly title: (words: Words) => Title;
  /** One without a title of its own is the command itself; none: the command is not offered. */
  readonly views: readonly View[];
  readonly references: References;
  readonly clock: Clock;
}

/** A command that looks something up; its buttons turn the pages, for whoever presses them. */
export function lookupCommand({ title, views, references, clock }: LookupCommandOptions): readonly SlashCommand[] {
  const command = title(en).name;
  const byName = new Map(views.map((view) => [view.title?.(en).name ?? '', view]));
  if (byName.size === 0) return [];

  async function answer(name: string, given: Given, page: number, asker: Asker): Promise<Reply> {
    const view = byName.get(name);
    if (!view) throw new UserError(asker.words.lookups.old);
    const path = `${command}:${name}`;
    const reference = await references.write(path, given, LONGEST_ID - `${path}:first:${LAST_PAGE}:`.length);
    const sight = await view.look({ key: `${path}?${textOf(given)}`, given, page, asker });
    const idOf = (role: string, to: number): string => `${path}:${role}:${to}:${reference}`;
    return { content: sight.content, embeds: [...sight.embeds], components: buttonsFor(sight, { page, idOf, words: asker.words }) };
  }

  return [
    {
      needs: 'look',
      data: formOf(title, views),

      async run(interaction, asker) {
        const name = interaction.options.getSubcommand(false) ?? '';
        const fields = byName.get(name)?.fields ?? [];
        const typed = givenIn(interaction, fields);
        const given = Object.fromEntries(fields.flatMap((field) => parsed(field, typed, asker)));
        await replyWith(interaction, answer(name, given, 0, asker), clock);
      },

      async press(interaction, [name = '', , page = '', ...rest], asker) {
        const given = await references.read(`${command}:${name}`, rest.join(':'));
        if (!given || !interaction.isMessageComponent()) throw new UserError(asker.words.lookups.old);
        const wanted = Math.min(LAST_PAGE, Number.parseInt(page, 10) || 0);
        await updateWith(interaction, answer(name, given, Math.max(0, wanted), asker), clock);
      },

      async suggest(interaction, asker) {
        const fields = byName.get(interaction.options.getSubcommand(false) ?? '')?.fields ?? [];
        const { name, value } = interaction.options.getFocused(true);
        const field = fields.find((one) => nameOf(one) === name);
        return (await field?.suggest?.(value, givenIn(interaction, fields), asker)) ?? [];
      },
    },
  ];
}

function nameOf({ title }: Field): string {
  return title(en).name;
}

function givenIn({ options }: ChatInputCommandInteraction | AutocompleteInteraction, fields: readonly Field[]): Given {
  const entries = fields.map((field) => [nameOf(field), options.getString(nameOf(field))?.trim()] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== ''));
}

function parsed(field: Field, typed: Given, asker: Asker): readonly (readonly [string, string])[] {
  const value = typed[nameOf(field)];
  if (value !== undefined) return [[nameOf(field), field.parse?.(value, asker) ?? value]];
  if (!field.required) return [];
  // Discord lets blanks through where something is required.
  field.parse?.('', asker);
  throw new UserError(asker.words.lookups.wordNeeded);
}

function formOf(title: LookupCommandOptions['title'], views: readonly View[]): SlashCommand['data'] {
  const builder = titled(new SlashCommandBuilder(), title);
  for (const { title: subtitle, fields } of views) {
    if (subtitle) builder.addSubcommand(withFields(titled(new SlashCommandSubcommandBuilder(), subtitle), fields));
    else withFields(builder, fields);
  }
  return builder.toJSON();
}

function withFields<B extends SlashCommandBuilder | SlashCommandSubcommandBuilder>(builder: B, fields: readonly Field[]): B {
  // Discord wants the required ones first.
  for (const { title, required = false, choices = [], suggest } of fields.toSorted(
    (a, b) => Number(b.required ?? false) - Number(a.required ?? false),
  )) {
    builder.addStringOption((option) => {
      titled(option, title)
        .setRequired(required)
        .setAutocomplete(suggest !== undefined);
      if (choices.length === 0) return option.setMaxLength(LONGEST_OPTION);
      return option.addChoices(choices.map(({ value, name }) => ({ value, name: name(en), name_localizations: localized(name) })));
    });
  }
  return builder;
}
