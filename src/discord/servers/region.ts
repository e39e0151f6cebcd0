import { type APIComponentInContainer, ModalBuilder, TextInputBuilder, TextInputStyle } from 'discord.js';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { zoneNamed } from '#src/clients/operation/zone-named.ts';
import { UserError } from '#src/errors.ts';
import type { Reader } from '#src/discord/caller.ts';
import { button, selectMenu } from '#src/discord/components.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { row, textBlock } from '#src/discord/layout.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';

/** The languages that a server can choose. */
const LANGUAGES = ['en', 'de'] as const;
/** The value of the language that the server has in Discord. */
const OF_SERVER = 'server';
const LONGEST_ZONE = 100;
const FIELD = 'zone';

/** The language and the time zone on the page of `/setup`. `defaultZone` counts for a server without a zone. */
export function regionParts(
  { language, zone }: Pick<ServerSettings, 'language' | 'zone'>,
  defaultZone: string,
  { texts: { setup } }: Pick<Reader, 'texts'>,
): readonly APIComponentInContainer[] {
  const option = (value: string, label: string, isChosen: boolean) => ({ value, label, default: isChosen });
  const options = [
    option(OF_SERVER, setup.language.ofServer, language === undefined),
    ...LANGUAGES.map((one) => option(one, languageName(one), one === language)),
  ];
  return [
    textBlock(setup.language.title, language === undefined ? setup.language.server : setup.language.chosen(languageName(language))),
    row(selectMenu('setup:language', { placeholder: setup.language.ofServer, options })),
    textBlock(
      setup.zone.title,
      zone === undefined ? setup.zone.ofInstallation(escaped(defaultZone, 100)) : setup.zone.chosen(escaped(zone, 100)),
    ),
    row(button('setup:zone', setup.zone.change)),
  ];
}

/** The name of a language in this language. */
function languageName(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
}

/** The setting of a value of the menu. Throws if the menu has no such value. */
export function languageOf(value: string | undefined, { errors }: Texts): (typeof LANGUAGES)[number] | '' {
  if (value === OF_SERVER) return '';
  const language = LANGUAGES.find((one) => one === value);
  if (!language) throw new UserError(errors.gone);
  return language;
}

/** The form for the time zone. There are too many zones for a menu. Its custom id has the zone that it shows. */
export function zoneForm(zone: string | undefined, { setup: { zone: texts } }: Texts): ModalBuilder {
  const field = new TextInputBuilder()
    .setCustomId(FIELD)
    .setStyle(TextInputStyle.Short)
    .setMaxLength(LONGEST_ZONE)
    .setPlaceholder(texts.hint)
    .setRequired(false);
  if (zone !== undefined) field.setValue(zone);
  return new ModalBuilder()
    .setCustomId(`setup:zoned:${zone ?? ''}`)
    .setTitle(texts.form)
    .addLabelComponents((one) => one.setLabel(texts.label).setTextInputComponent(field));
}

/**
 * The zone in a submitted form; an empty text: that of the installation. A form can be sent with the zone that it shows, which may be one of an
 * earlier version. Throws if there is no other zone with this name.
 */
export function zoneIn(
  { fields }: { readonly fields: { getTextInputValue(id: string): string } },
  shown: string | undefined,
  { setup: { zone: texts } }: Texts,
): string {
  const typed = fields.getTextInputValue(FIELD).trim();
  const zone = typed === '' || typed === shown ? typed : zoneNamed(typed);
  if (zone === undefined) throw new UserError(texts.unknown(escaped(typed, 60)));
  return zone;
}
