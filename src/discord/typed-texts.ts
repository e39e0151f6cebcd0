import { type APIEmbed, ApplicationCommandOptionType, type CommandInteractionOption, type RepliableInteraction } from 'discord.js';
import { splitMessage } from '#src/discord/text/split-message.ts';

/** Users can type shorter texts again. */
const SHORT = 20;
/** Users can choose shorter texts without spaces again, for example the id of a post. */
const SHORT_WORD = 40;
/** The embeds of a message may have 6000 characters. */
const LONGEST_PART = 2_900;
const PARTS_PER_MESSAGE = 2;
const FENCE = '```';
const BROKEN_FENCE = '`\u200B`\u200B`';

/** The long texts of a command or a form, in the embeds of each message: a refused interaction leaves the user without them. */
export function typedTexts(interaction: RepliableInteraction): readonly APIEmbed[][] {
  return copiesOf(valuesOf(interaction));
}

/** Long texts that a user can copy, in the embeds of each message. */
export function copiesOf(texts: readonly string[]): readonly APIEmbed[][] {
  const parts = texts
    .filter((text) => text.length > (/\s/u.test(text.trim()) ? SHORT : SHORT_WORD))
    .flatMap((text) => splitMessage(`${FENCE}\n${text.replaceAll(FENCE, BROKEN_FENCE)}\n${FENCE}`, LONGEST_PART))
    .map((description): APIEmbed => ({ description }));
  return Array.from({ length: Math.ceil(parts.length / PARTS_PER_MESSAGE) }, (_, index) =>
    parts.slice(index * PARTS_PER_MESSAGE, (index + 1) * PARTS_PER_MESSAGE),
  );
}

function valuesOf(interaction: RepliableInteraction): readonly string[] {
  if (interaction.isChatInputCommand()) return optionsIn(interaction.options.data);
  if (!interaction.isModalSubmit()) return [];
  return [...interaction.fields.fields.values()].flatMap((field) =>
    'value' in field && typeof field.value === 'string' ? field.value : [],
  );
}

function optionsIn(options: readonly CommandInteractionOption[]): readonly string[] {
  return options.flatMap(({ type, value, options: inner }) => {
    if (inner) return optionsIn(inner);
    return type === ApplicationCommandOptionType.String && typeof value === 'string' ? value : [];
  });
}
