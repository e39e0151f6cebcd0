import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  SlashCommandBuilder,
  SlashCommandSubcommandBuilder,
} from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { SavedViews } from '#src/admin/queries/saved-views.ts';
import { publicReader, type Caller } from '#src/discord/caller.ts';
import { acceptedLink } from '#src/clients/operation/accepted-address.ts';
import type { ComponentHandler, SlashCommand } from '#src/discord/command.ts';
import { button, linkButton, pageButtons, rows, SHARE, shareButton, type Paging, type Row } from '#src/discord/components.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localizations, localize } from '#src/discord/language/languages.ts';
import type { Texts, Title } from '#src/discord/language/texts.ts';
import { isPrivate, type Reply, replyPrivately, replyToEveryone, requireCaller, requireMaySend, updateWith } from '#src/discord/reply.ts';
import type { LookupLimit, SearchLimit } from './lookup-limit.ts';
import { LAST_PAGE } from './pager.ts';
import type { Field, OptionValues } from './fields.ts';
import type { View, ViewContent } from './view.ts';

const LONGEST_ID = 100;
const LONGEST_OPTION = 200;
const LONGEST_LABEL = 80;

interface LookupCommandOptions {
  readonly title: (texts: Texts) => Title;
  /** A view without a title is the command itself. Without views, there is no command. */
  readonly views: readonly View[];
  readonly references: References;
  readonly limit: LookupLimit;
  readonly limitSearches: SearchLimit;
  readonly clock: Clock;
}

/** A command that shows views. Only its caller may click the buttons of an answer. */
export function lookupCommand({ title, views, references, limit, limitSearches, clock }: LookupCommandOptions): readonly SlashCommand[] {
  const command = title(en).name;
  const byName = new Map(views.map((view) => [nameOfView(view), view]));
  if (byName.size === 0) return [];

  async function answer(name: string, values: OptionValues, page: number, caller: Caller): Promise<Reply> {
    const view = byName.get(name);
    if (!view) throw new UserError(caller.texts.lookups.old);
    const path = `${command}:${name}`;
    const reference = await references.write(path, values, LONGEST_ID - `${path}:first:${LAST_PAGE}:`.length);
    const result = await view.load({ key: `${path}?${textOf(values)}`, values, page, caller, limit, limitSearches });
    const idOf = (role: string, to: number): string => `${path}:${role}:${to}:${reference}`;
    const components = buttonsFor(result, { page, idOf }, caller);
    return { content: result.content, embeds: [...result.embeds], components, share: shareButton(idOf(SHARE, page), caller) };
  }

  /** Shows another page, the newest content, or the answer to everyone. */
  async function change(name: string, view: View, ...[interaction, [role, page = '', ...rest], caller]: Parameters<ComponentHandler>) {
    const values = await references.read(`${command}:${name}`, rest.join(':'));
    const isComplete = values && view.fields.every((field) => !field.required || values[nameOf(field)] !== undefined);
    if (!isComplete) throw new UserError(caller.texts.lookups.old);
    requireCaller(interaction, caller);
    const everyone = { ...caller, ...publicReader(caller) };
    const wanted = Math.max(0, Math.min(LAST_PAGE, Number.parseInt(page, 10) || 0));
    if (role === SHARE) {
      requireMaySend(interaction, caller);
      await replyToEveryone(interaction, answer(name, values, wanted, everyone), clock);
    } else await updateWith(interaction, answer(name, values, wanted, isPrivate(interaction) ? caller : everyone), clock);
  }

  return [
    {
      needs: 'look',
      data: formOf(title, views),

      async run(interaction, caller) {
        const name = interaction.options.getSubcommand(false) ?? '';
        const fields = byName.get(name)?.fields ?? [];
        const typed = valuesOf(interaction, fields);
        const values = Object.fromEntries(fields.flatMap((field) => parsed(field, typed, caller)));
        await replyPrivately(interaction, answer(name, values, 0, caller), clock);
      },

      components: Object.fromEntries(
        views.map((view): [string, ComponentHandler] => {
          const name = nameOfView(view);
          return [name, (interaction, parts, caller) => change(name, view, interaction, parts, caller)];
        }),
      ),

      async suggest(interaction, caller) {
        const fields = byName.get(interaction.options.getSubcommand(false) ?? '')?.fields ?? [];
        const { name, value } = interaction.options.getFocused(true);
        const field = fields.find((one) => nameOf(one) === name);
        const found = (await field?.suggest?.(value, valuesOf(interaction, fields), caller)) ?? [];
        const typed = value.trim();
        const isKnown = found.some((one) => (typeof one === 'string' ? one : one.value).toLowerCase() === typed.toLowerCase());
        return field?.accepts?.(typed) && !isKnown ? [typed, ...found] : found;
      },
    },
  ];
}

/** The buttons below the content: to other pages, to refresh, and to the pages of the platform. */
function buttonsFor({ more, links = [] }: ViewContent, { page, idOf }: Omit<Paging, 'more'>, { texts, locale }: Caller): Row[] {
  const refresh = button(idOf('again', page), texts.lookups.buttons.again);
  const paging = pageButtons({ page, more, idOf }, { texts, locale });
  const toPlatform = links.flatMap(({ label, url }) => {
    const address = acceptedLink(url);
    return address === undefined ? [] : [linkButton(address, label.slice(0, LONGEST_LABEL))];
  });
  return paging.length === 0 ? rows([...toPlatform, refresh]) : rows([...paging, refresh], toPlatform);
}

function nameOfView({ title }: View): string {
  return title?.(en).name ?? '';
}

function nameOf({ title }: Field): string {
  return title(en).name;
}

function valuesOf({ options }: ChatInputCommandInteraction | AutocompleteInteraction, fields: readonly Field[]): OptionValues {
  const entries = fields.map((field) => [nameOf(field), options.getString(nameOf(field))?.trim()] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== ''));
}

function parsed(field: Field, typed: OptionValues, caller: Caller): readonly (readonly [string, string])[] {
  const value = typed[nameOf(field)];
  if (value !== undefined) return [[nameOf(field), field.parse?.(value, caller) ?? value]];
  if (!field.required) return [];
  // Discord accepts blanks for required options.
  field.parse?.('', caller);
  throw new UserError(caller.texts.lookups.wordNeeded);
}

function formOf(title: LookupCommandOptions['title'], views: readonly View[]): SlashCommand['data'] {
  const builder = localize(new SlashCommandBuilder(), title);
  for (const { title: subtitle, fields } of views) {
    if (subtitle) builder.addSubcommand(withFields(localize(new SlashCommandSubcommandBuilder(), subtitle), fields));
    else withFields(builder, fields);
  }
  return builder.toJSON();
}

function withFields<B extends SlashCommandBuilder | SlashCommandSubcommandBuilder>(builder: B, fields: readonly Field[]): B {
  // Discord requires this order.
  for (const { title, required = false, choices = [], suggest } of fields.toSorted(
    (a, b) => Number(b.required ?? false) - Number(a.required ?? false),
  )) {
    builder.addStringOption((option) => {
      localize(option, title)
        .setRequired(required)
        .setAutocomplete(suggest !== undefined);
      if (choices.length === 0) return option.setMaxLength(LONGEST_OPTION);
      return option.addChoices(choices.map(({ value, name }) => ({ value, name: name(en), name_localizations: localizations(name) })));
    });
  }
  return builder;
}

/** Puts the options of a look-up into custom ids, so that buttons work after a restart. */
export interface References {
  /** A text of at most `room` characters for the options. */
  write(command: string, values: OptionValues, room: number): Promise<string>;
  /** Undefined if the reference has expired. */
  read(command: string, reference: string): Promise<OptionValues | undefined>;
}

/** A reference contains the options. If they are too long, they are stored, and the reference is their id. */
export function createReferences(kept: SavedViews): References {
  return {
    async write(command, values, room) {
      const options = textOf(values);
      if (options.length + 1 <= room) return `?${options}`;
      return `~${await kept.keep({ command, options })}`;
    },

    async read(command, reference) {
      if (reference.startsWith('?')) return parseValues(reference.slice(1));
      const view = reference.startsWith('~') ? await kept.find(reference.slice(1)) : undefined;
      return view?.command === command ? parseValues(view.options) : undefined;
    },
  };
}

/** The options as text, in a fixed order. */
function textOf(values: OptionValues): string {
  return new URLSearchParams(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))).toString();
}

function parseValues(text: string): OptionValues {
  return Object.fromEntries(new URLSearchParams(text));
}
